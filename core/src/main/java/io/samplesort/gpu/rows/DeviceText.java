package io.samplesort.gpu.rows;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs.Text;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.keys.StringOffsets;
import io.samplesort.types.StringOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Strings in device memory, which kernels take as the struct `Text` of text.cuh.
///
/// @param bytes           device address of the bytes of all strings, a multiple of 16
/// @param byteCount       how many bytes may be read from there
/// @param offsets         device address of `count + 1` offsets
/// @param offsetBytes     bytes of an offset, 4 or 8
/// @param terminatorBytes bytes at the end of each string that are not compared
public record DeviceText(long bytes, long byteCount, long offsets, int offsetBytes, long count, int terminatorBytes) {
    /// Returns the struct.
    public long[] fields(StringOrder order) {
        return new StructValues<>(Text.values())
                .set(Text.BYTES, bytes)
                .set(Text.BYTE_COUNT, byteCount)
                .set(Text.OFFSETS, offsets)
                .set(Text.OFFSET_BYTES, offsetBytes)
                .set(Text.COUNT, count)
                .set(Text.TERMINATOR_BYTES, terminatorBytes)
                .set(Text.IGNORES_CASE, order.ignoresAsciiCase() ? 1 : 0)
                .set(Text.IS_REVERSED, order.isReversed() ? 1 : 0)
                .toArray();
    }

    /// Checks the offset of no strings, which no kernel looks at, and waits for that.
    ///
    /// @throws IllegalArgumentException if it is wrong
    public void checkSingleOffset(Stream on) {
        long offset = readOffsets(on, 0, 1)[0];
        if (StringOffsets.isWrong(offset, 0, byteCount)) {
            throw StringOffsets.error(0, offset, 0, byteCount);
        }
    }

    /// Returns the error that names the first wrong offset, and waits for that.
    ///
    /// @param string the first string that ends before it begins, or beyond the bytes
    public IllegalArgumentException wrongOffset(Stream on, long string) {
        long[] offsets = readOffsets(on, string, 2);
        return string == 0 && StringOffsets.isWrong(offsets[0], 0, byteCount)
                ? StringOffsets.error(0, offsets[0], 0, byteCount)
                : StringOffsets.error(string + 1, offsets[1], offsets[0], byteCount);
    }

    private long[] readOffsets(Stream on, long from, int some) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment read = arena.allocate((long) some * offsetBytes, offsetBytes);
            on.copyToHost(read, offsets + from * offsetBytes, read.byteSize());
            on.synchronize();
            return offsetBytes == Long.BYTES
                    ? read.toArray(ValueLayout.JAVA_LONG)
                    : Arrays.stream(read.toArray(ValueLayout.JAVA_INT))
                            .asLongStream()
                            .toArray();
        }
    }
}
