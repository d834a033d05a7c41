package io.samplesort.files;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// A file that appears under its name either complete or not at all: it is written beside its place, forced to the
/// disk, and renamed. Whatever ends the process before that removes the unfinished file, unless the process is killed.
final class AtomicFile implements OutputFile {
    /// The disk begins to write when so much is there for it, while more is sorted. A system left to itself would only
    /// begin after seconds or gigabytes, so most of it would be left to the end.
    private static final long FORCED_BYTES = 64L << 20;

    /// Where so much or more is appended at a time, the writing goes past the system's cache of files.
    private static final long LEAST_DIRECT_BYTES = 4L << 20;

    private final Path target;
    private final TemporaryFile file;
    private final AtomicLong unforcedBytes = new AtomicLong();
    /// Null if the file is written by system calls.
    private MappedFile mapped;

    /// Null before much is appended, or if the file system cannot do this.
    private DirectAppend direct;

    private boolean mayBeDirect = true;
    private long end;
    private boolean isComplete;

    private AtomicFile(Path target, TemporaryFile file) {
        this.target = target;
        this.file = file;
    }

    /// Begins a file, which is empty for now.
    ///
    /// @param target an [OutputPlace] of a regular file
    static AtomicFile create(Path target) throws IOException {
        // The new file must not be open to more users than the file it replaces, not even for a while.
        boolean isSecret = Files.exists(target);
        return new AtomicFile(
                target,
                TemporaryFile.create(target.getParent(), target.getFileName().toString(), isSecret));
    }

    @Override
    public void append(MemorySegment source, LongConsumer moved) throws IOException {
        long position = end;
        if (direct == null && mayBeDirect && mapped == null && source.byteSize() >= LEAST_DIRECT_BYTES) {
            direct = DirectAppend.open(file.path(), file.channel());
            mayBeDirect = direct != null;
        }
        end += source.byteSize();
        if (direct != null) {
            direct.append(position, source, moved);
        } else {
            write(position, source, moved);
        }
    }

    @Override
    public long claim(long bytes) {
        // Others write there, at any time.
        mayBeDirect = false;
        long position = end;
        end += bytes;
        return position;
    }

    @Override
    public void expect(long leastBytes, long mostBytes) throws IOException {
        if (mostBytes > 0 && mapped == null && MappedFile.pays(file.path())) {
            mapped = MappedFile.of(file.channel(), mostBytes);
            if (leastBytes > 0) {
                mapped.provideAhead(leastBytes);
            }
        }
    }

    @Override
    public void write(long position, MemorySegment source, LongConsumer moved) throws IOException {
        if (mapped != null && mapped.holds(position, source.byteSize())) {
            mapped.write(position, source, moved);
            return;
        }
        for (long from = 0; from < source.byteSize(); ) {
            long length = Math.min(FORCED_BYTES, source.byteSize() - from);
            SegmentIo.write(file.channel(), position + from, source.asSlice(from, length), moved);
            from += length;
            if (unforcedBytes.addAndGet(length) >= FORCED_BYTES) {
                unforcedBytes.set(0);
                file.channel().force(false);
            }
        }
    }

    /// Forces the file to the disk, and gives it the permissions, the owner and the attributes of the file that it will
    /// replace.
    @Override
    public List<String> complete() throws IOException {
        endMapping();
        if (direct != null) {
            direct.finish();
        }
        file.channel().force(true);
        List<String> losses = Files.exists(target) ? KeptAttributes.pass(target, file.path()) : List.of();
        isComplete = true;
        return losses;
    }

    /// The file is as long as what was written, if that is less than was expected.
    private void endMapping() throws IOException {
        if (mapped != null) {
            mapped.close();
            mapped = null;
            file.channel().truncate(end);
        }
    }

    @Override
    public void publish() throws IOException {
        if (!isComplete) {
            throw new IllegalStateException("complete the file before publishing it");
        }
        try {
            file.moveTo(target);
        } catch (AtomicMoveNotSupportedException e) {
            throw new FileFailure("the file system of " + target + " cannot rename atomically", e);
        }
    }

    /// {@inheritDoc} Not every system can do that; the file is in its place all the same.
    @Override
    public void settle() {
        try (FileChannel channel = FileChannel.open(target.getParent(), StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Folders cannot be opened on Windows, for example.
            return;
        }
    }

    /// Removes the file, unless it was published.
    @Override
    public void close() throws IOException {
        if (mapped != null) {
            mapped.close();
            mapped = null;
        }
        if (direct != null) {
            direct.close();
            direct = null;
        }
        file.close();
    }
}
