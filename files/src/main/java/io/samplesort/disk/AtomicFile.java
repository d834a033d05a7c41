package io.samplesort.disk;

import io.samplesort.memory.AvailableMemory;
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

/// A file that appears under its name either complete or not at all: it is written under another name in its folder,
/// forced to the disk, and renamed. If the process ends before that, the unfinished file is removed, unless the process
/// is killed.
final class AtomicFile implements OutputFile {
    /// Fewer bytes at a time are appended through the system's cache of files.
    private static final long LEAST_DIRECT_BYTES = 4L << 20;

    /// Smaller results stay in the cache, as copying them there takes hardly any time.
    private static final long LEAST_DIRECT_RESULT = 256L << 20;

    /// A result that is larger than the free memory divided by this would hardly be in the cache any more when it is
    /// read.
    private static final int CACHE_SHARE = 2;

    private final Path target;
    private final TemporaryFile file;
    private final long leastDirectBytes;
    /// How large a result in the cache may become; -1 for a share of the free memory.
    private final long cacheBytes;

    private final EarlyForce force;
    /// Null if the file is written by system calls.
    private MappedFile mapped;

    /// Null until much has been appended, or if the file is written through the cache.
    private DirectAppend direct;

    /// Whether the file is expected to be large.
    private boolean mayBeDirect;
    /// Whether it should stay in the cache for whoever reads it next, unless the disk is about as fast.
    private boolean mayBeCached;
    /// How many bytes were appended or claimed.
    private long end;
    /// How many of them were written.
    private final AtomicLong writtenBytes = new AtomicLong();

    private boolean isComplete;

    private AtomicFile(Path target, TemporaryFile file, long leastDirectBytes, long cacheBytes) {
        this.target = target;
        this.file = file;
        this.force = new EarlyForce(file.channel());
        this.leastDirectBytes = leastDirectBytes;
        this.cacheBytes = cacheBytes;
    }

    /// Begins a file, which is empty for now.
    ///
    /// @param target an [OutputPlace] of a regular file
    static AtomicFile create(Path target) throws IOException {
        return create(target, LEAST_DIRECT_BYTES, -1);
    }

    /// Begins a file with other limits for going past the system's cache of files.
    ///
    /// @param leastDirectBytes fewer bytes at a time go through the cache
    /// @param cacheBytes       smaller files go through the cache
    static AtomicFile create(Path target, long leastDirectBytes, long cacheBytes) throws IOException {
        // The new file must not be open to more users than the file it replaces, not even for a moment.
        return create(target, target.getParent(), Files.exists(target), leastDirectBytes, cacheBytes);
    }

    /// Begins a file that no other user may open, in a folder from which it will be removed, unless it is kept
    /// ([#keep]).
    ///
    /// @param target what the file is for
    static AtomicFile createIn(Path folder, Path target) throws IOException {
        return create(target, folder, true, LEAST_DIRECT_BYTES, -1);
    }

    private static AtomicFile create(Path target, Path folder, boolean isSecret, long leastDirectBytes, long cacheBytes)
            throws IOException {
        TemporaryFile file = TemporaryFile.create(folder, target.getFileName().toString(), isSecret);
        return new AtomicFile(target, file, leastDirectBytes, cacheBytes);
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
            if (mayBeCached && direct.isSlow()) {
                endDirect();
            }
        } else {
            write(position, source, moved);
        }
        writtenBytes.addAndGet(source.byteSize());
    }

    @Override
    public Room claim(long bytes) throws IOException {
        // Other threads may write to the claimed room at any time, and what is appended next lies after it.
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

    /// Ends writing past the cache; what follows goes through it.
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
        } else if (end == 0) {
            mayBeDirect = mostBytes >= (cacheBytes < 0 ? LEAST_DIRECT_RESULT : cacheBytes);
            mayBeCached = mayBeDirect && cacheBytes < 0 && mostBytes <= AvailableMemory.available() / CACHE_SHARE;
        }
    }

    private void write(long position, MemorySegment source, LongConsumer moved) throws IOException {
        if (mapped != null && mapped.holds(position, source.byteSize())) {
            mapped.write(position, source, moved);
            return;
        }
        SegmentIo.write(file.channel(), position, source, bytes -> {
            force.wrote(bytes);
            moved.accept(bytes);
        });
    }

    /// Forces the file to the disk, and gives it the permissions, the owner and the attributes of the file that it will
    /// replace.
    @Override
    public List<String> complete() throws IOException {
        finish();
        List<String> losses = Files.exists(target) ? KeptAttributes.pass(target, file.path()) : List.of();
        isComplete = true;
        return losses;
    }

    /// Ends the writing, and forces the file to the disk.
    ///
    /// @throws IllegalStateException as by [#complete]
    void finish() throws IOException {
        endMapping();
        endDirect();
        checkSize();
        force.finish();
    }

    /// Makes the finished file stay in its folder: neither the end of the process nor the next sort removes it from now
    /// on.
    ///
    /// @return its new name
    Path keep() throws IOException {
        return file.keep();
    }

    /// Cuts the file to what was written, if that is less than was expected.
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
                    + " were written to a file of " + file.channel().size() + " bytes, is not put in its place: this is"
                    + " a fault of the program");
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

    /// {@inheritDoc} Not every system can do that; the file is in its place even so.
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
        Closing.all(mapped, direct, force, file);
    }
}
