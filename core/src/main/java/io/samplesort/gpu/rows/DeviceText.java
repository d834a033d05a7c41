package io.samplesort.gpu.rows;

import io.samplesort.gpu.code.KernelStructs.Text;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.types.StringOrder;

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
}
