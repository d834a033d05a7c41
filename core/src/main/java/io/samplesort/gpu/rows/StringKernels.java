package io.samplesort.gpu.rows;

import static io.samplesort.gpu.code.KernelConstants.BYTE_TILE;
import static io.samplesort.gpu.code.KernelConstants.TIE_TILE;
import static io.samplesort.gpu.code.KernelConstants.WORD_THREADS;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs.StringTarget;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.launch.RowModule;
import io.samplesort.types.StringOrder;

/// The compiled kernels that only sorts of strings use, and the launches that several of these sorts share.
///
/// @param module the module of [io.samplesort.gpu.code.RowProgram#STRINGS]
public record StringKernels(RowModule module, StringOrder order) {
    /// Returns how many tiles this many strings have.
    static int tiles(long count) {
        return Math.toIntExact(Math.ceilDiv(count, TIE_TILE));
    }

    /// Returns how many tiles this many bytes of a copy have.
    static long byteTiles(long byteCount) {
        return Math.ceilDiv(byteCount, BYTE_TILE);
    }

    /// Returns how many blocks have a thread for each of this many strings.
    public static long blocks(long count) {
        return Math.ceilDiv(count, WORD_THREADS);
    }

    /// Returns the kernel of this name, which is also the name of its file.
    KernelLaunch of(String name) {
        return module.of(name);
    }

    /// Returns a kernel that takes strings as its first argument, and gives it these strings.
    public KernelLaunch of(String name, DeviceText text) {
        return module.of(name).with(text.fields(order));
    }

    /// Turns the numbers of tiles into sums over the tiles before each.
    ///
    /// @param sum device address for the sum over all tiles
    void scanTiles(Stream stream, long tiles, long count, long sum) {
        of("scan_tiles").values(tiles, count, sum).launch(stream, 1);
    }

    /// Finishes the offsets of a target.
    void placeStrings(Stream stream, long[] target, long count) {
        of("place_strings").with(target).values(count).launchInWaves(stream, blocks(count + 1));
    }

    /// Turns offsets that count from the beginning of each tile of [io.samplesort.gpu.code.KernelConstants#TIE_TILE]
    /// strings into offsets from the first string on.
    ///
    /// @param offsets room for one offset more than there are strings
    /// @param tiles   the bytes of each tile
    /// @param total   device address for the sum of all bytes
    public void finishOffsets(Stream stream, long offsets, int offsetBytes, long count, long tiles, long total) {
        scanTiles(stream, tiles, tiles(count), total);
        long[] target = new StructValues<>(StringTarget.values())
                .set(StringTarget.OFFSETS, offsets)
                .set(StringTarget.OFFSET_BYTES, offsetBytes)
                .set(StringTarget.TILES, tiles)
                .set(StringTarget.TOTAL, total)
                .setOthers(0)
                .toArray();
        placeStrings(stream, target, count);
    }
}
