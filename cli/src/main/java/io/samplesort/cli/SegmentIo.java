package io.samplesort.cli;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// Moves segments of any length from and to files, in pieces.
final class SegmentIo {
    private static final long PIECE_BYTES = 16L << 20;

    private SegmentIo() {}

    static void read(FileChannel channel, long position, MemorySegment target, Progress progress) throws IOException {
        for (long offset = 0; offset < target.byteSize(); ) {
            long length = Math.min(PIECE_BYTES, target.byteSize() - offset);
            int read = channel.read(target.asSlice(offset, length).asByteBuffer(), position + offset);
            if (read < 0) {
                throw new EOFException("it ended after " + (position + offset) + " bytes: was it truncated meanwhile?");
            }
            offset += read;
            progress.step(read);
        }
    }

    static void write(FileChannel channel, MemorySegment source, Progress progress) throws IOException {
        for (long offset = 0; offset < source.byteSize(); ) {
            long length = Math.min(PIECE_BYTES, source.byteSize() - offset);
            ByteBuffer piece = source.asSlice(offset, length).asByteBuffer();
            while (piece.hasRemaining()) {
                progress.step(channel.write(piece));
            }
            offset += length;
        }
    }
}
