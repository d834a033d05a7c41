package io.samplesort.gpu.inplace;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PageShape;
import java.lang.foreign.MemorySegment;

/// All memory of a sort in place, allocated before anything is changed: the device memory, except that of the sample's
/// own sort, and the parts of the pinned memory.
final class InPlaceMemory implements AutoCloseable {
    private final InPlacePlan plan;
    private final int[] columnBytes;
    private final MemorySegment pinned;
    private final Owned owned = new Owned();
    private final DeviceAllocation work;
    private final DeviceAllocation area;
    private final DeviceColumns sample;
    private final DeviceAllocation small;

    /// @param pinned memory for [#pinnedBytes]
    InPlaceMemory(DeviceSort sort, Stream stream, InPlacePlan plan, MemorySegment pinned) {
        this.plan = plan;
        this.pinned = pinned;
        columnBytes = sort.columnBytes();
        try {
            work = owned.add(DeviceAllocation.allocateAsync(
                    sort.context(), stream, plan.layout().byteSize()));
            area = owned.add(DeviceAllocation.allocateAsync(sort.context(), stream, plan.areaBytes()));
            sample = owned.add(new DeviceColumns(sort.context(), stream, columnBytes, plan.sampleCount()));
            small = owned.add(DeviceAllocation.allocateAsync(sort.context(), stream, smallBytes(plan)));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns the bytes of device memory for the search for order, the ranks of the splitters, the list of all pages
    /// after the first pass and the final one, the moves (at most one for each page of the work area and of the array),
    /// and the plan of the regions.
    static long smallBytes(PageShape shape, int bucketCount, int besidePages, int regions) {
        return searchBytes()
                + aligned((long) bucketCount * Integer.BYTES)
                + 2 * listBytes(shape, bucketCount)
                + movesBytes(shape, besidePages)
                + RegionPlan.bytes(regions);
    }

    private static long smallBytes(InPlacePlan plan) {
        return smallBytes(
                plan.shape(),
                plan.bucketCount(),
                plan.chunks().besidePages(),
                plan.layout().groupCount());
    }

    private static long movesBytes(PageShape shape, int besidePages) {
        return ((long) shape.arrayPages() + besidePages) * KernelStructs.PAGE_MOVE_BYTES;
    }

    private static long listBytes(PageShape shape, int bucketCount) {
        return aligned((long) (shape.arrayPages() + bucketCount) * Integer.BYTES);
    }

    private static long searchBytes() {
        return aligned(KernelStructs.ORDER_SEARCH_BYTES);
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, (long) Long.BYTES) * Long.BYTES;
    }

    /// Returns the bytes of pinned memory that a sort takes: for the order that is found, what the device tells in the
    /// end, the plan of the regions, and the ranks.
    static long pinnedBytes(InPlacePlan plan) {
        return ranksAt(plan) + aligned((long) plan.bucketCount() * Integer.BYTES);
    }

    private static long planAt() {
        return 2 * Long.BYTES;
    }

    private static long ranksAt(InPlacePlan plan) {
        return planAt() + RegionPlan.bytes(plan.layout().groupCount());
    }

    /// Returns the work area.
    DeviceAllocation work() {
        return work;
    }

    /// Returns the page area, in which the first pass keeps its records.
    DeviceAllocation area() {
        return area;
    }

    /// Returns the addresses of the first page of the work area. Pages lie where later passes put elements, so that the
    /// rest of the area can be prepared meanwhile.
    long[] workPages() {
        long begin = work.address() + plan.layout().bufferAt();
        return plan.shape().besideColumns(begin, plan.chunks().besidePages(), columnBytes);
    }

    /// Returns the addresses of the first page of the page area.
    long[] areaPages() {
        return plan.shape().besideColumns(area.address(), plan.areaPages(), columnBytes);
    }

    /// Returns the addresses of the sample.
    long[] sample() {
        return sample.from(0);
    }

    /// Returns the address of what the search for order finds.
    long order() {
        return small.address();
    }

    /// Returns the address of the ranks of the splitters.
    long ranks() {
        return order() + searchBytes();
    }

    /// Returns the address of the list of all pages after the first pass. It is read while pages move to the page area.
    long listed() {
        return ranks() + aligned((long) plan.bucketCount() * Integer.BYTES);
    }

    /// Returns the address of the final list of all pages.
    long list() {
        return listed() + listBytes(plan.shape(), plan.bucketCount());
    }

    /// Returns the address of the moves.
    long moves() {
        return list() + listBytes(plan.shape(), plan.bucketCount());
    }

    /// Returns the address of the plan of the regions.
    long plan() {
        return moves() + movesBytes(plan.shape(), plan.chunks().besidePages());
    }

    MemorySegment pinnedTold() {
        return pinned.asSlice(0, planAt());
    }

    MemorySegment pinnedPlan() {
        return pinned.asSlice(planAt(), RegionPlan.bytes(plan.layout().groupCount()));
    }

    MemorySegment pinnedRanks() {
        return pinned.asSlice(ranksAt(plan), (long) plan.bucketCount() * Integer.BYTES);
    }

    /// Gives the device memory back once the stream has come this far.
    @Override
    public void close() {
        owned.close();
    }
}
