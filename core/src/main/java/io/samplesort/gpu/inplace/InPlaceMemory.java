package io.samplesort.gpu.inplace;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.FirstPass;
import io.samplesort.gpu.sort.GivenSegments;
import java.lang.foreign.MemorySegment;

/// All memory of a sort in place, taken before anything is changed: device memory, but for that of the sample's own
/// sort, and the parts of the pinned memory.
final class InPlaceMemory implements AutoCloseable {
    private static final int ALIGNMENT = 256;

    private final InPlacePlan plan;
    private final int[] columnBytes;
    private final MemorySegment pinned;
    private final Owned owned = new Owned();
    private final DeviceAllocation work;
    private final DeviceColumns gathering;
    private final DeviceColumns sample;
    private final DeviceAllocation pass;
    private final DeviceAllocation small;

    /// @param pinned memory for [#pinnedBytes]
    InPlaceMemory(DeviceSort sort, Stream stream, InPlacePlan plan, MemorySegment pinned) {
        this.plan = plan;
        this.pinned = pinned;
        columnBytes = sort.columnBytes();
        try {
            work = owned.add(DeviceAllocation.allocateAsync(sort.context(), stream, plan.workBytes()));
            gathering = owned.add(new DeviceColumns(sort.context(), stream, columnBytes, plan.regionSize()));
            sample = owned.add(new DeviceColumns(sort.context(), stream, columnBytes, plan.sampleCount()));
            pass = owned.add(DeviceAllocation.allocateAsync(sort.context(), stream, plan.passBytes()));
            small = owned.add(DeviceAllocation.allocateAsync(sort.context(), stream, smallBytes(plan.bucketCount())));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns the device memory for the table of moves, the search for order and the ranks of the splitters.
    static long smallBytes(int bucketCount) {
        return MoveTable.DEVICE_BYTES + searchBytes() + bucketCount * (long) Integer.BYTES;
    }

    private static long searchBytes() {
        return Math.ceilDiv(KernelStructs.ORDER_SEARCH_BYTES, Long.BYTES) * (long) Long.BYTES;
    }

    /// Returns the pinned memory that a sort takes: for the order that is found, the ranks, the passes, the moves, and
    /// for each region its segments and the size of its largest bucket.
    static long pinnedBytes(InPlacePlan plan) {
        return regionsAt(plan) + plan.mostRegions() * regionBytes(plan);
    }

    private static long passesAt(InPlacePlan plan) {
        return Long.BYTES + plan.bucketCount() * (long) Integer.BYTES;
    }

    private static long movesAt(InPlacePlan plan) {
        return passesAt(plan) + plan.chunks() * FirstPass.pinnedBytes(plan.bucketCount());
    }

    private static long regionsAt(InPlacePlan plan) {
        return movesAt(plan) + MoveTable.PINNED_BYTES;
    }

    private static long regionBytes(InPlacePlan plan) {
        return Long.BYTES + GivenSegments.bytes(plan.segments());
    }

    /// Returns the work area, for the sort of a region.
    DeviceAllocation work() {
        return work;
    }

    /// Returns the addresses of a chunk in the work area.
    long[] chunk() {
        long[] addresses = new long[columnBytes.length];
        long address = work.address();
        for (int c = 0; c < addresses.length; c++) {
            addresses[c] = address;
            address += Math.ceilDiv(plan.chunkSize() * columnBytes[c], (long) ALIGNMENT) * ALIGNMENT;
        }
        return addresses;
    }

    /// Returns the addresses of the gathering area.
    long[] gathering() {
        return gathering.from(0);
    }

    /// Returns the addresses of the sample.
    long[] sample() {
        return sample.from(0);
    }

    /// Returns the memory of the first pass of a chunk.
    DeviceAllocation pass() {
        return pass;
    }

    /// Returns the address of the table of moves.
    long moves() {
        return small.address();
    }

    /// Returns the address of what the search for order finds.
    long order() {
        return small.address() + MoveTable.DEVICE_BYTES;
    }

    /// Returns the address of the ranks of the splitters.
    long ranks() {
        return order() + searchBytes();
    }

    MemorySegment pinnedOrder() {
        return pinned.asSlice(0, Integer.BYTES);
    }

    MemorySegment pinnedRanks() {
        return pinned.asSlice(Long.BYTES, plan.bucketCount() * (long) Integer.BYTES);
    }

    MemorySegment pinnedPass(int chunk) {
        long bytes = FirstPass.pinnedBytes(plan.bucketCount());
        return pinned.asSlice(passesAt(plan) + chunk * bytes, bytes);
    }

    MemorySegment pinnedMoves() {
        return pinned.asSlice(movesAt(plan), MoveTable.PINNED_BYTES);
    }

    MemorySegment pinnedSegments(int region) {
        return pinned.asSlice(
                regionsAt(plan) + region * regionBytes(plan) + Long.BYTES, regionBytes(plan) - Long.BYTES);
    }

    MemorySegment pinnedLargestBucket(int region) {
        return pinned.asSlice(regionsAt(plan) + region * regionBytes(plan), Long.BYTES);
    }

    /// Gives the device memory back once the stream has come this far.
    @Override
    public void close() {
        owned.close();
    }
}
