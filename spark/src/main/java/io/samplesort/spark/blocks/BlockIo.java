package io.samplesort.spark.blocks;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;

/// Writes memory to streams and reads it back, in large pieces and in the byte order of this machine.
public final class BlockIo {
    private static final int PIECE_BYTES = 1 << 16;

    private BlockIo() {}

    /// Writes all of `source`.
    public static void write(MemorySegment source, OutputStream target) throws IOException {
        byte[] buffer = buffer(source);
        MemorySegment window = MemorySegment.ofArray(buffer);
        for (long done = 0; done < source.byteSize(); done += buffer.length) {
            int bytes = (int) Math.min(buffer.length, source.byteSize() - done);
            MemorySegment.copy(source, done, window, 0, bytes);
            target.write(buffer, 0, bytes);
        }
    }

    /// Fills all of `target`.
    ///
    /// @throws EOFException if the stream has fewer bytes
    public static void read(InputStream source, MemorySegment target) throws IOException {
        byte[] buffer = buffer(target);
        MemorySegment window = MemorySegment.ofArray(buffer);
        for (long done = 0; done < target.byteSize(); done += buffer.length) {
            int bytes = (int) Math.min(buffer.length, target.byteSize() - done);
            if (source.readNBytes(buffer, 0, bytes) < bytes) {
                throw new EOFException("a block ends after " + done + " of " + target.byteSize() + " bytes");
            }
            MemorySegment.copy(window, 0, target, done, bytes);
        }
    }

    private static byte[] buffer(MemorySegment segment) {
        return new byte[(int) Math.min(PIECE_BYTES, segment.byteSize())];
    }
}
