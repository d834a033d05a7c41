package io.samplesort.files;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final long leastDirectBytes;
    private final AtomicLong unforcedBytes = new AtomicLong();
    /// Null if the file is written by system calls.
    private MappedFile mapped;

    /// Null before much is appended, or if the file system cannot do this.
    private DirectAppend direct;

    private boolean mayBeDirect = true;
    /// How many bytes were appended or taken room for.
    private long end;
    /// How many of them were written.
    private final AtomicLong writtenBytes = new AtomicLong();

    private boolean isComplete;

    private AtomicFile(Path target, TemporaryFile file, long leastDirectBytes) {
        this.target = target;
        this.file = file;
        this.leastDirectBytes = leastDirectBytes;
    }

    /// Begins a file, which is empty for now.
    ///
    /// @param target an [OutputPlace] of a regular file
    static AtomicFile create(Path target) throws IOException {
        return create(target, LEAST_DIRECT_BYTES);
    }

    /// Begins a file of which so much or more at a time is appended past the system's cache of files.
    static AtomicFile create(Path target, long leastDirectBytes) throws IOException {
        // The new file must not be open to more users than the file it replaces, not even for a while.
        boolean isSecret = Files.exists(target);
        return new AtomicFile(
                target,
                TemporaryFile.create(target.getParent(), target.getFileName().toString(), isSecret),
                leastDirectBytes);
    }

    @Override
    public void append(MemorySegment source, LongConsumer moved) throws IOException {
        long position = end;
        if (direct == null && mayBeDirect && mapped == null && source.byteSize() >= leastDirectBytes) {
            direct = DirectAppend.open(file.path(), file.channel());
            mayBeDirect = direct != null;
        }
        end += source.byteSize();
        if (direct != null) {
            direct.append(position, source, moved);
        } else {
            write(position, source, moved);
        }
        writtenBytes.addAndGet(source.byteSize());
    }

    @Override
    public Room claim(long bytes) throws IOException {
        // Others write there, at any time, and what is appended next has no part in it.
        endDirect();
        long position = end;
        end += bytes;
        AtomicBoolean isFilled = new AtomicBoolean();
        return (source, moved) -> {
            if (source.byteSize() != bytes) {
                throw new IllegalStateException(source.byteSize() + " bytes for room of " + bytes);
            }
            if (isFilled.getAndSet(true)) {
                throw new IllegalStateException("the room at byte " + position + " was written to before");
            }
            write(position, source, moved);
            writtenBytes.addAndGet(bytes);
        };
    }

    @Override
    public long byteSize() {
        return end;
    }

    /// Goes on through the cache.
    private void endDirect() throws IOException {
        mayBeDirect = false;
        if (direct != null) {
            DirectAppend ended = direct;
            direct = null;
            try (ended) {
                ended.finish();
            }
        }
    }

    @Override
    public void expect(long leastBytes, long mostBytes) throws IOException {
        if (mostBytes > 0 && mapped == null && MappedFile.pays(file.path())) {
            endDirect();
            mapped = MappedFile.of(file.channel(), mostBytes);
            if (leastBytes > 0) {
                mapped.provideAhead(leastBytes);
            }
        }
    }

    private void write(long position, MemorySegment source, LongConsumer moved) throws IOException {
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
        endDirect();
        checkSize();
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

    private void checkSize() throws IOException {
        if (writtenBytes.get() != end || file.channel().size() != end) {
            throw new IllegalStateException("a result of " + end + " bytes, of which " + writtenBytes
                    + " were written to a file of " + file.channel().size() + " bytes, is not put in its place");
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
        Closing.all(mapped, direct, file);
    }
}
