package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;

/// Reads the parts of a file that are not in the system's cache of files past it. That spares new pages in the cache
/// and a copy, which take longer than a fast disk needs to read them.
///
/// The disk fills whole blocks of memory that is aligned like them. Everything else passes through a buffer. Several
/// threads may read at once.
final class DirectRead implements Closeable {
    private static final long BUFFER_BYTES = 4L << 20;

    /// This much is read at a time, which is enough for the disk and soon done.
    private static final long PIECE_BYTES = 16L << 20;

    private final FileChannel cached;
    private final DirectChannel direct;
    private final long blockBytes;
    private final Arena arena = Arena.ofShared();
    /// Buffers that no thread is using.
    private final ConcurrentLinkedQueue<MemorySegment> buffers = new ConcurrentLinkedQueue<>();

    private volatile boolean isRefused;

    private DirectRead(FileChannel cached, DirectChannel direct) {
        this.cached = cached;
        this.direct = direct;
        this.blockBytes = direct.blockBytes();
    }

    /// Returns null if the file system cannot do this, or the system does not say what lies in its cache.
    ///
    /// @param cached the same file, open for reading through the cache
    static DirectRead open(Path file, FileChannel cached) {
        if (System.getProperty("os.name").startsWith("Windows")) {
            return null;
        }
        DirectChannel direct = DirectChannel.open(file, StandardOpenOption.READ);
        return direct == null ? null : new DirectRead(cached, direct);
    }

    /// Fills a segment.
    ///
    /// @param position of the first byte in the file
    /// @param moved    is called with the bytes of each piece; an exception that it throws ends the reading
    /// @throws java.io.EOFException if the file ends before the segment is full
    void read(long position, MemorySegment target, LongConsumer moved) throws IOException {
        long size = target.byteSize();
        boolean isAligned = target.isNative() && (target.address() - position) % blockBytes == 0;
        long done = 0;
        while (done < size && !isRefused && !isCached(position + done, Math.min(PIECE_BYTES, size - done))) {
            long end = done + Math.min(PIECE_BYTES, size - done);
            while (done < end && !isRefused) {
                long read = readPiece(position + done, target.asSlice(done, end - done), isAligned);
                // A file that has become shorter meanwhile gives nothing, either.
                isRefused |= read == 0;
                moved.accept(read);
                done += read;
            }
        }
        if (done < size) {
            SegmentIo.read(cached, position + done, target.asSlice(done), moved);
        }
    }

    /// Returns whether the system has all of a part of the file in its cache.
    private boolean isCached(long position, long bytes) throws IOException {
        if (position + bytes > cached.size()) {
            // Mapping more than the file has would make it longer, or fail.
            return true;
        }
        try (Arena mapping = Arena.ofConfined()) {
            return cached.map(FileChannel.MapMode.READ_ONLY, position, bytes, mapping)
                    .isLoaded();
        }
    }

    /// Reads the beginning of a segment; returns how many bytes that were: 0 if the disk refuses.
    private long readPiece(long position, MemorySegment target, boolean isAligned) throws IOException {
        long before = position % blockBytes;
        long size = target.byteSize();
        if (isAligned && before == 0 && size >= blockBytes) {
            return Math.max(0, read(position, target.asSlice(0, size / blockBytes * blockBytes)));
        }
        MemorySegment buffer = buffers.poll();
        if (buffer == null) {
            buffer = arena.allocate(BUFFER_BYTES, blockBytes);
        }
        // An aligned target needs no buffer from the next block on.
        long wanted = Math.min(size, (isAligned ? blockBytes : BUFFER_BYTES) - before);
        long blocks = Math.ceilDiv(before + wanted, blockBytes);
        long found = Math.min(read(position - before, buffer.asSlice(0, blocks * blockBytes)) - before, wanted);
        if (found > 0) {
            MemorySegment.copy(buffer, before, target, 0, found);
        }
        buffers.add(buffer);
        return Math.max(0, found);
    }

    /// Reads blocks; returns how many bytes that were.
    private long read(long position, MemorySegment blocks) throws IOException {
        try {
            int read = direct.channel().read(blocks.asByteBuffer(), position);
            // There is less than asked for, and not because the file ends: reading through the cache will say why.
            isRefused |= read < blocks.byteSize() && position + read != cached.size();
            return read;
        } catch (IOException e) {
            // Some file systems refuse only now. If the disk fails, reading through the cache fails again and says so.
            isRefused = true;
            return 0;
        }
    }

    /// Ends the access. The system then also ends locks that this process has on the file.
    @Override
    public void close() throws IOException {
        Closing.all(direct, () -> Closing.end(arena));
    }
}
