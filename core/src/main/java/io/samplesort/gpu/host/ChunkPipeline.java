package io.samplesort.gpu.host;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The work of one GPU in one sort of host memory in chunks, as far as [DeviceRuns] and [RunStream] share it.
abstract class ChunkPipeline implements AutoCloseable {
    final HostSort owner;
    final DeviceSort sort;
    final HostPlan plan;
    final List<MemorySegment> host;
    final Stream sorting;
    final StageClock uploadClock;
    final StageClock downloadClock;
    private final StageClock sortClock;
    private final PhaseTimer timer;
    private final boolean isTimed;
    private final MemorySegment largestBuckets;
    private final Owned resources = new Owned();
    private final Owned deviceMemory = new Owned();
    private int sorts;

    ChunkPipeline(HostSort owner, HostPlan plan, List<MemorySegment> host, boolean isTimed) {
        this.owner = owner;
        this.sort = owner.sort();
        this.plan = plan;
        this.host = host;
        this.sorting = owner.sorting();
        this.isTimed = isTimed;
        Context context = owner.context();
        try {
            uploadClock = resources.add(StageClock.create(context, "upload", isTimed));
            sortClock = resources.add(StageClock.create(context, "sort", isTimed));
            downloadClock = resources.add(StageClock.create(context, "download", isTimed));
            timer = resources.add(PhaseTimer.create(context, sorting, isTimed));
            largestBuckets = owner.largestBuckets(2 * plan.chunks(), resources);
        } catch (RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /// Returns the bytes of all elements in all columns.
    final long byteSize() {
        return plan.count() * sort.rowBytes();
    }

    /// Puts the sort of `count` elements in device memory on the stream of sorts.
    ///
    /// @param columns device addresses
    final void enqueueSort(long count, long[] columns) {
        SortStrategy strategy = count == plan.chunkCount() ? plan.strategy() : plan.lastStrategy();
        sortClock.begin(sorting);
        MemorySegment largestBucket = largestBuckets.asSlice((long) sorts * Long.BYTES, Long.BYTES);
        sort.enqueue(sorting, strategy, columns, timer, HostWait.forBucket(largestBucket));
        sortClock.end(sorting, count * sort.rowBytes());
        sorts++;
    }

    /// Hands over device memory that is freed when this is closed, in the order of the stream of sorts.
    final <T extends AutoCloseable> T own(T memory) {
        return deviceMemory.add(memory);
    }

    /// Records an event after the sorts that have been enqueued so far.
    final Event mark() {
        Event event = resources.add(Event.create(owner.context(), false));
        event.record(sorting);
        return event;
    }

    /// Returns the parts of a transfer that moves one chunk between host memory and device memory.
    ///
    /// @param begin the element of `device` where the chunk begins
    final List<TransferBatch.Part> chunkParts(
            List<MemorySegment> columns, int chunk, DeviceColumns device, long begin) {
        List<TransferBatch.Part> parts = new ArrayList<>();
        for (int c = 0; c < columns.size(); c++) {
            long bytes = sort.columnBytes()[c];
            MemorySegment piece = columns.get(c).asSlice(plan.begin(chunk) * bytes, plan.size(chunk) * bytes);
            parts.add(new TransferBatch.Part(piece, device.address(c, begin)));
        }
        return parts;
    }

    /// Device memory for a few chunks, which use it in turn.
    final class Slots implements AutoCloseable {
        private final List<DeviceColumns> slots = new ArrayList<>();
        private final Owned ownedSlots = new Owned();

        Slots() {
            try {
                for (int i = 0; i < HostPlan.SLOTS; i++) {
                    slots.add(ownedSlots.add(
                            new DeviceColumns(owner.context(), sorting, sort.columnBytes(), plan.chunkCount())));
                }
            } catch (RuntimeException | Error e) {
                ownedSlots.closeAfter(e);
                throw e;
            }
        }

        DeviceColumns get(int chunk) {
            return slots.get(chunk % HostPlan.SLOTS);
        }

        @Override
        public void close() {
            ownedSlots.close();
        }
    }

    /// Waits for the device and reports what the sort did.
    ///
    /// @param start     when the sort began, by [System#nanoTime]
    /// @param keptBytes memory for runs, on the device or on the host
    final SortReport report(long start, long keptBytes) {
        sorting.synchronize();
        long largest = 0;
        for (int i = 0; i < sorts; i++) {
            largest = Math.max(largest, largestBuckets.getAtIndex(ValueLayout.JAVA_LONG, i));
        }
        long slotBytes = plan.isCutUp() ? HostPlan.SLOTS * plan.chunkCount() * sort.rowBytes() : 0;
        long sortBytes =
                Math.max(plan.strategy().byteSize(), plan.lastStrategy().byteSize());
        long extraBytes = keptBytes + slotBytes + sortBytes + sort.indexBytes(plan.chunkCount());
        SortReport report =
                sort.report(plan.count(), plan.strategy(), plan.isCutUp() ? 2 : 1, extraBytes, largest, timer, start);
        return isTimed
                ? new SortReportBuilder(report)
                        .stages(List.of(uploadClock.stage(), sortClock.stage(), downloadClock.stage()))
                        .build()
                : report;
    }

    /// Waits until the device memory is free again. This also waits for sorts that a failure has left on the stream,
    /// since they write to pinned memory that is freed here.
    @Override
    public void close() {
        try (resources) {
            try {
                deviceMemory.close();
            } finally {
                sorting.synchronize();
            }
        }
    }
}
