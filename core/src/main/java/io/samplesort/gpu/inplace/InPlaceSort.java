package io.samplesort.gpu.inplace;

import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.types.SortReport;

/// Sorts an array in device memory with little additional memory. This works for elements that are moved, and not for
/// those that are sorted by index or counted.
///
/// Only one thread at a time may use it. The context of the GPU must be current.
public final class InPlaceSort implements AutoCloseable {
    /// The additional memory of a sort is the size of the array divided by this.
    private static final int PART = 10;

    private static final int SEED = 0x5eed5a37;

    /// How many samples are drawn before the array is left as it is.
    private static final int SAMPLES = 3;

    private final DeviceSort sort;
    private final Stream stream;
    private final Owned owned = new Owned();
    private PinnedMemory pinned;
    private SideStream sideStream;
    private InPlacePlan lastPlan;
    private long lastMostBytes;

    public InPlaceSort(DeviceSort sort, Stream stream) {
        this.sort = sort;
        this.stream = stream;
    }

    /// Returns whether the tuning wants a sort of this many elements in place even if there is memory for another way.
    public boolean isWanted(long count) {
        return sort.tuning().inPlaceSize() > 0 && count >= sort.tuning().inPlaceSize();
    }

    /// Sorts with additional memory of a tenth of the array, and waits for the end. Returns null if this cannot be
    /// done: the memory is too little, there are too few elements, or they are not of a kind that is sorted in place.
    /// In that case nothing has been changed. It also returns null if the order is found to contradict itself; in that
    /// case the array has all its elements, but in some other order.
    ///
    /// @param columns device addresses of the array's columns
    /// @param start   when the sort began, by [System#nanoTime]
    /// @throws io.samplesort.errors.SampleSortException if the GPU fails; the message says so if elements are lost
    public SortReport sort(long[] columns, long count, PhaseTimer timer, long start) {
        return sort(columns, count, count * sort.rowBytes() / PART, timer, start);
    }

    /// Does the same with all memory that is free.
    public SortReport sortWithinFreeMemory(long[] columns, long count, PhaseTimer timer, long start) {
        return sort(columns, count, sort.strategies().freeBytes(), timer, start);
    }

    private SortReport sort(long[] columns, long count, long mostBytes, PhaseTimer timer, long start) {
        if (sort.element().sortsIndexes() || sort.element().isCounted()) {
            return null;
        }
        InPlacePlan plan = plan(count, mostBytes);
        if (plan != null && !sort.strategies().hasRoom(plan.byteSize(), 0)) {
            plan = plan(count, Math.min(mostBytes, sort.strategies().freeBytes()));
        }
        if (plan == null) {
            return null;
        }
        reserve(InPlaceMemory.pinnedBytes(plan));
        if (sideStream == null) {
            sideStream = owned.add(new SideStream(sort.context()));
        }
        try (InPlaceMemory memory = new InPlaceMemory(sort, stream, plan, pinned.segment())) {
            InPlaceRun run = new InPlaceRun(sort, stream, columns, plan, memory, sideStream, timer);
            for (int sample = 0; sample < SAMPLES; sample++) {
                InPlaceRun.Done done = run.run(SEED + sample);
                if (done.isInOrder()) {
                    return report(plan, done, timer, start);
                }
            }
        }
        return null;
    }

    /// Returns the plan, which is often that of the previous sort.
    private InPlacePlan plan(long count, long mostBytes) {
        if (lastPlan == null || lastPlan.shape().count() != count || lastMostBytes != mostBytes) {
            lastPlan = InPlacePlan.of(sort, count, mostBytes);
            lastMostBytes = mostBytes;
        }
        return lastPlan;
    }

    private void reserve(long bytes) {
        if (pinned == null || pinned.segment().byteSize() < bytes) {
            PinnedMemory larger = owned.add(PinnedMemory.allocate(sort.context(), bytes));
            if (pinned != null) {
                pinned.close();
            }
            pinned = larger;
        }
    }

    private SortReport report(InPlacePlan plan, InPlaceRun.Done done, PhaseTimer timer, long start) {
        return sort.report(
                plan.shape().count(),
                done.passes(),
                done.bytesMoved(),
                plan.byteSize(),
                done.largestBucket(),
                timer,
                start);
    }

    @Override
    public void close() {
        owned.close();
    }
}
