package io.samplesort.disk;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;

/// Moves segments of any length from and to files, in pieces.
public final class SegmentIo {
    /// Pieces are large enough that the calls cost nothing compared to the disk, and small enough to report progress
    /// and to stop soon.
    private static final long PIECE_BYTES = 16L << 20;

    private SegmentIo() {}

    /// Fills a segment.
    ///
    /// @param position of the first byte in the file
    /// @param moved    is called with the bytes of each piece; an exception that it throws ends the reading
    /// @throws EOFException if the file ends before the segment is full
    public static void read(FileChannel channel, long position, MemorySegment target, LongConsumer moved)
            throws IOException {
        for (long offset = 0; offset < target.byteSize(); ) {
            long length = Math.min(PIECE_BYTES, target.byteSize() - offset);
            int read = channel.read(target.asSlice(offset, length).asByteBuffer(), position + offset);
            if (read < 0) {
                throw new EOFException(
                        "the file ended after " + (position + offset) + " bytes: was it truncated meanwhile?");
            }
            offset += read;
            moved.accept(read);
        }
    }

    /// Writes a segment.
    ///
    /// @param position of the first byte in the file
    /// @param moved    is called with the bytes of each piece; an exception that it throws ends the writing
    public static void write(FileChannel channel, long position, MemorySegment source, LongConsumer moved)
            throws IOException {
        for (long offset = 0; offset < source.byteSize(); ) {
            long length = Math.min(PIECE_BYTES, source.byteSize() - offset);
            ByteBuffer piece = source.asSlice(offset, length).asByteBuffer();
            int written = channel.write(piece, position + offset);
            offset += written;
            moved.accept(written);
        }
    }

    /// Writes a segment after what was written to the channel before, which works for pipes as well.
    ///
    /// @param moved is called with the bytes of each piece; an exception that it throws ends the writing
    public static void append(FileChannel channel, MemorySegment source, LongConsumer moved) throws IOException {
        for (long offset = 0; offset < source.byteSize(); ) {
            long length = Math.min(PIECE_BYTES, source.byteSize() - offset);
            int written = channel.write(source.asSlice(offset, length).asByteBuffer());
            offset += written;
            moved.accept(written);
        }
    }
}
