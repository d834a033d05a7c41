package io.samplesort.gpu.rows;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs.StringTarget;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.sort.PhaseTimer;

/// A copy of strings in another order: new offsets, and the bytes of all strings written from the first byte of the
/// target on.
public final class StringCopy {
    private StringCopy() {}

    /// Returns the device memory that a copy takes.
    ///
    /// @param byteCount room for bytes in the target
    public static long byteSize(long count, long byteCount) {
        return Long.BYTES * (1 + count + StringKernels.tiles(count) + StringKernels.byteTiles(byteCount) + 1);
    }

    /// Puts a copy on a stream.
    ///
    /// @param source      at least one string
    /// @param permutation device address of the indexes of the strings, in their new order
    /// @param indexBytes  bytes of an index, 4 or 8
    /// @param target      room for the same number of strings and bytes
    public static void enqueue(
            Context context,
            Stream stream,
            StringKernels kernels,
            DeviceText source,
            long permutation,
            int indexBytes,
            DeviceText target,
            PhaseTimer timer) {
        long count = source.count();
        try (DeviceAllocation memory =
                DeviceAllocation.allocateAsync(context, stream, byteSize(count, target.byteCount()))) {
            long sources = memory.address() + Long.BYTES;
            long tiles = sources + count * Long.BYTES;
            long byteTiles = tiles + StringKernels.tiles(count) * (long) Long.BYTES;
            long[] to = new StructValues<>(StringTarget.values())
                    .set(StringTarget.BYTES, target.bytes())
                    .set(StringTarget.OFFSETS, target.offsets())
                    .set(StringTarget.OFFSET_BYTES, target.offsetBytes())
                    .set(StringTarget.SOURCES, sources)
                    .set(StringTarget.TILES, tiles)
                    .set(StringTarget.BYTE_TILES, byteTiles)
                    .set(StringTarget.TOTAL, memory.address())
                    .toArray();
            timer.part("copy");
            timer.phase("measure_strings");
            kernels.of("measure_strings", source)
                    .values(permutation, indexBytes)
                    .with(to)
                    .launch(stream, StringKernels.tiles(count));
            kernels.scanTiles(stream, tiles, StringKernels.tiles(count), memory.address());
            timer.phase("place_strings");
            kernels.placeStrings(stream, to, count);
            kernels.of("find_byte_tiles")
                    .with(to)
                    .values(count)
                    .launchInWaves(stream, StringKernels.blocks(StringKernels.byteTiles(target.byteCount()) + 1));
            timer.phase("copy_strings");
            long tilesABlock = KernelConstants.COPY_THREADS / KernelConstants.WARP_SIZE;
            kernels.of("copy_strings", source)
                    .with(to)
                    .values(count)
                    .launchInWaves(stream, Math.ceilDiv(StringKernels.byteTiles(target.byteCount()), tilesABlock));
            timer.end();
        }
    }
}
