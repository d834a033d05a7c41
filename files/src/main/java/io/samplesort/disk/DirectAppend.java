package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/// Appends to a file past the system's cache of files. That spares the copy to the cache and new pages for it, which
/// take longer than a fast disk needs to write them.
///
/// The disk takes whole blocks from memory that is aligned like them. Other memory passes through a buffer, and the
/// first and the last bytes, which do not fill a block, go through the cache. Only one thread may use it.
final class DirectAppend implements Closeable {
    private static final long BUFFER_BYTES = 4L << 20;

    /// This much is written at a time, which is enough for the disk and soon done.
    private static final long PIECE_BYTES = 16L << 20;

    /// A disk that takes fewer bytes in a second is slow: the next reader of the file would wait longer for it than a
    /// copy to the cache takes.
    private static final double LEAST_RATE = 0.5e9;

    /// After this many bytes it is known how fast the disk is.
    private static final long SAMPLED_BYTES = 64L << 20;

    private final FileChannel cached;
    private final DirectChannel direct;
    private final long blockBytes;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer;
    /// How many bytes in the buffer are to be written, and where in the file they belong, which is a multiple of
    /// blocks.
    private long bufferedBytes;

    private long bufferedPosition;
    /// The end of what was appended; -1 before anything was appended.
    private long end = -1;

    private long writtenBytes;
    private long writingNanos;
    private boolean isRefused;

    private DirectAppend(FileChannel cached, DirectChannel direct) {
        this.cached = cached;
        this.direct = direct;
        this.blockBytes = direct.blockBytes();
        this.buffer = arena.allocate(BUFFER_BYTES, blockBytes);
    }

    /// Returns null if the file system cannot do this.
    ///
    /// @param cached the same file, open for writing through the cache
    static DirectAppend open(Path file, FileChannel cached) throws IOException {
        DirectChannel direct = DirectChannel.open(file, StandardOpenOption.WRITE);
        try {
            return direct == null ? null : new DirectAppend(cached, direct);
        } catch (OutOfMemoryError e) {
            direct.close();
            return null;
        }
    }

    /// Writes a segment after what was written before.
    ///
    /// @param position where that ended
    /// @param moved    is called with the bytes of each piece; an exception that it throws ends the writing
    /// @throws IllegalStateException if the position is another one
    void append(long position, MemorySegment source, LongConsumer moved) throws IOException {
        if (end >= 0 && position != end) {
            throw new IllegalStateException("what was appended ends at byte " + end + ", not at " + position);
        }
        long size = source.byteSize();
        end = position + size;
        long done = 0;
        if (bufferedBytes == 0 && position % blockBytes != 0) {
            done = Math.min(size, blockBytes - position % blockBytes);
            SegmentIo.write(cached, position, source.asSlice(0, done), moved);
        }
        boolean isAligned = source.isNative() && (source.address() - position) % blockBytes == 0;
        while (done < size) {
            long left = size - done;
            if (isAligned && bufferedBytes == 0 && left >= blockBytes) {
                long bytes = Math.min(PIECE_BYTES, left / blockBytes * blockBytes);
                write(position + done, source.asSlice(done, bytes));
                moved.accept(bytes);
                done += bytes;
                continue;
            }
            if (bufferedBytes == 0) {
                bufferedPosition = position + done;
            }
            // An aligned source needs no buffer from the next block on.
            long wanted = isAligned ? blockBytes - bufferedBytes % blockBytes : BUFFER_BYTES - bufferedBytes;
            long bytes = Math.min(wanted, left);
            MemorySegment.copy(source, done, buffer, bufferedBytes, bytes);
            bufferedBytes += bytes;
            done += bytes;
            if (bytes == wanted) {
                writeBuffer();
            }
            moved.accept(bytes);
        }
    }

    private void writeBuffer() throws IOException {
        write(bufferedPosition, buffer.asSlice(0, bufferedBytes));
        bufferedBytes = 0;
    }

    /// Writes whole blocks.
    private void write(long position, MemorySegment blocks) throws IOException {
        if (!isRefused) {
            try {
                long began = System.nanoTime();
                SegmentIo.write(direct.channel(), position, blocks, bytes -> {});
                writingNanos += System.nanoTime() - began;
                writtenBytes += blocks.byteSize();
                return;
            } catch (IOException e) {
                // Some file systems refuse only now. If the disk is full, writing through the cache fails again and
                // says so.
                isRefused = true;
            }
        }
        SegmentIo.write(cached, position, blocks, bytes -> {});
    }

    /// Returns whether the disk is known to be slow.
    boolean isSlow() {
        return isSlow(writtenBytes, writingNanos);
    }

    static boolean isSlow(long bytes, long nanos) {
        return bytes >= SAMPLED_BYTES && bytes / LEAST_RATE < nanos / 1e9;
    }

    /// Writes what is left.
    void finish() throws IOException {
        SegmentIo.write(cached, bufferedPosition, buffer.asSlice(0, bufferedBytes), bytes -> {});
        bufferedBytes = 0;
    }

    /// Ends the access. The system then also ends locks that this process has on the file.
    @Override
    public void close() throws IOException {
        Closing.all(direct, () -> Closing.end(arena));
    }
}
