package io.samplesort.gpu.rows;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.sort.PhaseTimer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Finds the different strings in device memory and how often each occurs. Once the strings are sorted, a bit for each
/// says whether it differs from the one before; a set bit is the begin of a group of equal strings.
public final class StringDistinct {
    private StringDistinct() {}

    /// Returns the device memory that this takes.
    public static long byteSize(long count) {
        return headBytes(count) + (StringKernels.tiles(count) + 1) * (long) Long.BYTES;
    }

    private static long headBytes(long count) {
        return StringKernels.tiles(count) * (long) (KernelConstants.TIE_TILE / Byte.SIZE);
    }

    /// Writes the index of the first string of each group of equal strings, in order, and the size of the group. Waits
    /// for the end, and returns how many groups there are.
    ///
    /// @param text        at least one string
    /// @param permutation device address of the indexes of the strings in order as ints, equal ones in the order of
    ///     their indexes
    /// @param indexes     device address of room for an index of each string
    /// @param counts      device address of room for the same number of counts
    /// @param indexBytes  bytes of an index and of a count, 4 or 8
    /// @param readBack    pinned memory for a long
    public static long run(
            Context context,
            Stream stream,
            StringKernels kernels,
            DeviceText text,
            long permutation,
            long indexes,
            long counts,
            int indexBytes,
            MemorySegment readBack,
            PhaseTimer timer) {
        long count = text.count();
        int tileCount = StringKernels.tiles(count);
        try (DeviceAllocation memory = DeviceAllocation.allocateAsync(context, stream, byteSize(count))) {
            long total = memory.address();
            long tiles = total + Long.BYTES;
            long heads = tiles + tileCount * (long) Long.BYTES;
            timer.part("distinct");
            timer.phase("mark_different");
            kernels.of("mark_different", text).values(permutation, heads, tiles).launch(stream, tileCount);
            kernels.scanTiles(stream, tiles, tileCount, total);
            timer.phase("list_distinct");
            kernels.of("list_distinct")
                    .values(heads, tiles, tileCount, total, permutation, count, indexes, counts, indexBytes)
                    .launch(stream, tileCount);
            timer.end();
            stream.copyToHost(readBack, total, Long.BYTES);
            stream.synchronize();
            return readBack.get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
