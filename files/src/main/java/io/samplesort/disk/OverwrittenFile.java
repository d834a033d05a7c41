package io.samplesort.disk;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/// A file that stays the same file and gets new content, for places where no new file can be put. The result is
/// complete in a temporary file before the first byte is overwritten. The temporary file then stays until all of it has
/// been copied and forced to the disk, even if the process ends meanwhile.
final class OverwrittenFile implements OutputFile {
    private static final int PIECE_BYTES = 1 << 20;

    private final Path path;
    private final AtomicFile result;
    private final Opener opener;
    /// Null before the result is complete.
    private FileChannel channel;

    private OverwrittenFile(Path path, AtomicFile result, Opener opener) {
        this.path = path;
        this.result = result;
        this.opener = opener;
    }

    /// Opens the file to be overwritten.
    interface Opener {
        FileChannel open() throws IOException;
    }

    /// Begins a result.
    ///
    /// @param path   the path that the user has named
    /// @param target the file itself
    /// @param folder where the result lies until it is complete
    static OverwrittenFile create(Path path, Path target, Path folder) throws IOException {
        return create(path, target, folder, () -> FileChannel.open(target, StandardOpenOption.WRITE));
    }

    /// Begins a result for a file that the opener opens.
    static OverwrittenFile create(Path path, Path target, Path folder, Opener opener) throws IOException {
        return new OverwrittenFile(path, AtomicFile.createIn(folder, target), opener);
    }

    @Override
    public void append(MemorySegment source, LongConsumer moved) throws IOException {
        result.append(source, moved);
    }

    @Override
    public void expect(long leastBytes, long mostBytes) throws IOException {
        result.expect(leastBytes, mostBytes);
    }

    @Override
    public Room claim(long bytes) throws IOException {
        return result.claim(bytes);
    }

    @Override
    public long byteSize() {
        return result.byteSize();
    }

    /// {@inheritDoc} The file loses nothing. This also finds out whether it may be written to.
    @Override
    public List<String> complete() throws IOException {
        result.finish();
        if (channel == null) {
            channel = opener.open();
        }
        return List.of();
    }

    /// Copies the result over the content of the file.
    ///
    /// @throws FileFailure if that fails; the message says in what state the file is, and where the result lies
    @Override
    public void publish() throws IOException {
        if (channel == null) {
            throw new IllegalStateException("complete the file before publishing it");
        }
        Path kept = result.keep();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Runnable copying = () -> {
            try {
                overwrite(kept);
            } catch (IOException | RuntimeException | Error e) {
                failure.set(e);
            }
        };
        // An interrupt closes the files that a thread is writing to; this thread is never interrupted.
        Thread thread =
                Thread.ofPlatform().daemon().name("samplesort-overwrite").unstarted(copying);
        try {
            thread.start();
            Threads.join(thread);
        } catch (OutOfMemoryError e) {
            // The system refuses another thread.
            copying.run();
        }
        switch (failure.get()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError("copying throws no other checked exception", failure.get());
        }
    }

    private void overwrite(Path kept) throws IOException {
        long size = result.byteSize();
        long sizeBefore = channel.size();
        long common = Math.min(size, sizeBefore);
        try (FileChannel source = FileChannel.open(kept, StandardOpenOption.READ)) {
            // What goes beyond the old content is written first: if there is no room for it, nothing is lost.
            extend(source, common, size, sizeBefore, kept);
            try {
                copy(source, 0, common);
                channel.truncate(size);
                channel.force(true);
                if (channel.size() != size) {
                    throw new IOException("it has " + channel.size() + " bytes in place of " + size);
                }
            } catch (IOException e) {
                throw new FileFailure(
                        "cannot overwrite all of " + path + ", which has partly its old and partly its new content;"
                                + " the complete result lies in " + kept + ", to be copied there",
                        e);
            }
        }
        Files.delete(kept);
    }

    private void extend(FileChannel source, long from, long size, long sizeBefore, Path kept) throws IOException {
        try {
            copy(source, from, size);
            channel.force(false);
        } catch (IOException e) {
            try {
                channel.truncate(sizeBefore);
            } catch (IOException further) {
                e.addSuppressed(further);
            }
            throw new FileFailure(
                    "cannot make " + path + " longer, which is as it was; the complete result lies in " + kept
                            + ", to be copied there",
                    e);
        }
    }

    private void copy(FileChannel source, long from, long to) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        for (long position = from; position < to; ) {
            piece.clear().limit((int) Math.min(PIECE_BYTES, to - position));
            if (source.read(piece, position) < 0) {
                throw new EOFException("the result ended after " + position + " bytes");
            }
            piece.flip();
            while (piece.hasRemaining()) {
                position += channel.write(piece, position);
            }
        }
    }

    @Override
    public void settle() {
        // The content was forced to the disk, and the name is the same.
    }

    /// Removes the result, unless it is the only complete copy.
    @Override
    public void close() throws IOException {
        Closing.all(channel, result);
    }
}
