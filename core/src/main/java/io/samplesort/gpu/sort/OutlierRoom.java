package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.types.Tuning;

/// Where outliers are marked, and the room that their sort has: the keys of the result. Nothing of the result lies
/// there before the merge, and
/// once outliers have been taken out, nothing of the input is needed any more. The sorted outliers go to the beginning,
/// and the workspace of their sort lies behind them.
final class OutlierRoom {
    /// A sort of few outliers may take a little more memory than one of as many as there may be.
    private static final double MARGIN = 1.25;

    private OutlierRoom() {}

    /// Returns how many outliers there may be. The host is told their number in 32 bits.
    static long most(SortPlan plan, Tuning tuning) {
        return Math.min(plan.elementCount() / tuning.outlierShare(), Integer.MAX_VALUE);
    }

    /// Returns the layout of a sort of outliers, which lie as a first pass leaves a segment.
    static WorkspaceLayout layout(long count, KernelElement element, Tuning tuning) {
        return WorkspaceLayout.ofExchange(SortPlan.ofSegments(count, 1, tuning), element, tuning);
    }

    /// Returns whether outliers are taken out, and their sort has room in the result of a sort.
    static boolean isThere(SortPlan plan, KernelElement element, Tuning tuning) {
        if (!element.takesOutliers(tuning) || most(plan, tuning) == 0) {
            return false;
        }
        long count = most(plan, tuning);
        long needed = (long) (MARGIN * layout(count, element, tuning).byteSize);
        return needed <= workspaceBytes(plan.elementCount(), count, element.keyBytes());
    }

    /// Returns where a sort marks outliers. Before the first pass nothing lies in the memory in front of the array that
    /// it writes, so they are marked there if it is large enough.
    ///
    /// @param search where outliers are looked for
    static Regions.Outliers marks(
            RegionSpace space,
            long search,
            SortPlan plan,
            KernelElement element,
            Tuning tuning,
            Regions.Buffer buffer) {
        int tile = new SharedMemory(element, tuning).outlierTile();
        long tiles = Math.ceilDiv(plan.elementCount(), (long) tile);
        long bitBytes = RegionSpace.aligned(tiles * (tile / Byte.SIZE));
        long bytes = bitBytes + tiles * Integer.BYTES;
        long headBytes = buffer.headSize() * (element.movesPairs() ? element.elementBytes() : element.keyBytes());
        long bits = bytes <= headBytes ? buffer.keys() : space.region(bytes);
        return new Regions.Outliers(search, bits, bits + bitBytes, tiles, most(plan, tuning));
    }

    /// Returns how many bytes there are for the workspace of a sort of so many outliers among `all` elements.
    static long workspaceBytes(long all, long outliers, int keyBytes) {
        // The result may begin anywhere, and the workspace is aligned.
        return all * keyBytes - RegionSpace.aligned(outliers * keyBytes) - RegionSpace.ALIGNMENT;
    }

    /// Returns the device address of that workspace.
    ///
    /// @param keys device address of the keys of the result
    static long workspace(long keys, long outliers, int keyBytes) {
        return RegionSpace.aligned(keys) + RegionSpace.aligned(outliers * keyBytes);
    }
}
