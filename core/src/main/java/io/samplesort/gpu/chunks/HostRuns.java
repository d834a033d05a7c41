package io.samplesort.gpu.chunks;

import io.samplesort.cuda.Event;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.transfer.DownloadFlow;
import io.samplesort.gpu.transfer.TransferBatch;
import io.samplesort.gpu.transfer.TransferFlow;
import io.samplesort.gpu.transfer.UploadFlow;
import io.samplesort.memory.LargeMemory;
import io.samplesort.runs.RunCuts;
import io.samplesort.types.SampleSortException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A sort of more host memory than the device holds, see [HostSort]. Runs go to other host memory and come back as
/// buckets. The runs are kept until the end, so that no element is lost if the device fails.
final class HostRuns extends ChunkPipeline {
    private final Comparator<MemorySegment> order;
    private List<MemorySegment> runs = List.of();

    /// @param order the order of the elements of the first column
    HostRuns(
            HostSort owner, HostPlan plan, List<MemorySegment> host, boolean isTimed, Comparator<MemorySegment> order) {
        super(owner, plan, host, isTimed);
        this.order = order;
    }

    @Override
    void run() {
        try (Arena memory = Arena.ofShared();
                Slots slots = new Slots()) {
            runs = host.stream().map(column -> memoryLike(column, memory)).toList();
            Event allocated = mark();
            try (UploadFlow uploads = owner.uploads(byteSize(), uploadClock);
                    DownloadFlow downloads = owner.downloads(byteSize(), downloadClock)) {
                streamThrough(
                        slots,
                        allocated,
                        uploads,
                        downloads,
                        (chunk, slot) -> chunkParts(host, chunk, slot, 0),
                        (chunk, slot) -> chunkParts(runs, chunk, slot, 0));
            }
            long[][] cuts = findCuts(runs.getFirst());
            try (UploadFlow uploads = owner.uploads(byteSize(), uploadClock);
                    DownloadFlow downloads = owner.downloads(byteSize(), downloadClock)) {
                writeBack(
                        downloads,
                        () -> streamThrough(
                                slots,
                                allocated,
                                uploads,
                                downloads,
                                (bucket, slot) -> bucketParts(cuts[bucket], cuts[bucket + 1], slot),
                                (bucket, slot) -> chunkParts(host, bucket, slot, 0)));
            }
        }
    }

    private static MemorySegment memoryLike(MemorySegment column, Arena arena) {
        try {
            return LargeMemory.allocate(column.byteSize(), arena);
        } catch (OutOfMemoryError e) {
            throw new SampleSortException(
                    "elements that do not fit the GPU take as much host memory again, and the system has no "
                            + column.byteSize()
                            + " bytes for it: allow more device memory, or sort fewer elements; the input is as it was",
                    e);
        }
    }

    private interface Parts {
        List<TransferBatch.Part> of(int chunk, DeviceColumns slot);
    }

    /// Has each chunk come to the device, be sorted and go back.
    ///
    /// @param allocated the event after which the slots may be used
    /// @param from      where the chunks come from
    /// @param to        where they go
    private void streamThrough(
            Slots slots, Event allocated, TransferFlow uploads, TransferFlow downloads, Parts from, Parts to) {
        List<TransferBatch> uploaded = new ArrayList<>();
        List<TransferBatch> downloaded = new ArrayList<>();
        for (int chunk = 0; chunk < plan.chunks(); chunk++) {
            // The uploads are one chunk ahead, so that the next chunk is on its way while this one is sorted.
            while (uploaded.size() < Math.min(chunk + 2, plan.chunks())) {
                int next = uploaded.size();
                Event isFree = next < HostPlan.SLOTS
                        ? allocated
                        : downloaded.get(next - HostPlan.SLOTS).completion();
                uploaded.add(uploads.submit(from.of(next, slots.get(next)), isFree));
            }
            sorting.waitFor(uploaded.get(chunk).completion());
            enqueueSort(plan.size(chunk), slots.get(chunk).from(0));
            downloaded.add(downloads.submit(to.of(chunk, slots.get(chunk)), mark()));
        }
        uploads.finish();
        downloads.finish();
    }

    private List<TransferBatch.Part> bucketParts(long[] from, long[] to, DeviceColumns slot) {
        List<TransferBatch.Part> parts = new ArrayList<>();
        for (int c = 0; c < runs.size(); c++) {
            long bytes = sort.columnBytes()[c];
            long filled = 0;
            for (int run = 0; run < plan.chunks(); run++) {
                long length = to[run] - from[run];
                MemorySegment piece = runs.get(c).asSlice((plan.begin(run) + from[run]) * bytes, length * bytes);
                parts.add(new TransferBatch.Part(piece, slot.address(c, filled)));
                filled += length;
            }
        }
        return parts;
    }

    /// Finds where the part of each bucket begins in each run; the last row is where the runs end.
    ///
    /// @return positions within the runs, by bucket and run
    private long[][] findCuts(MemorySegment keys) {
        RunCuts.Runs keyRuns = new KeyRuns(keys.asReadOnly());
        long[][] cuts = new long[plan.chunks() + 1][];
        cuts[0] = new long[plan.chunks()];
        for (int bucket = 1; bucket <= plan.chunks(); bucket++) {
            cuts[bucket] = RunCuts.at(keyRuns, Math.min(plan.begin(bucket), plan.count()), cuts[bucket - 1]);
        }
        return cuts;
    }

    private final class KeyRuns implements RunCuts.Runs {
        private final MemorySegment keys;

        KeyRuns(MemorySegment keys) {
            this.keys = keys;
        }

        @Override
        public int count() {
            return plan.chunks();
        }

        @Override
        public long length(int run) {
            return plan.size(run);
        }

        @Override
        public int compare(int run, long index, int otherRun, long otherIndex) {
            return order.compare(key(run, index), key(otherRun, otherIndex));
        }

        private MemorySegment key(int run, long index) {
            int bytes = sort.columnBytes()[0];
            return keys.asSlice((plan.begin(run) + index) * bytes, bytes);
        }
    }

    /// Copies the runs to where the input was.
    @Override
    SampleSortException afterWriting(long writtenBytes, Throwable failure) {
        for (int c = 0; c < host.size(); c++) {
            host.get(c).copyFrom(runs.get(c));
        }
        return new SampleSortException(
                "the GPU failed while the sorted elements were copied back: the input holds all its elements, but not in"
                        + " their former order: each " + plan.chunkCount() + " of them are sorted by themselves",
                failure);
    }
}
