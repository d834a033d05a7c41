package io.samplesort.gpu.host;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.errors.SampleSortException;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// A sort of host memory whose runs stay on the device, see [HostSort].
final class DeviceRuns extends ChunkPipeline implements HostPipeline {
    private final SortWatch watch = SortWatch.current();
    private boolean isWrittenBack;

    DeviceRuns(HostSort owner, HostPlan plan, List<MemorySegment> host, boolean isTimed) {
        super(owner, plan, host, isTimed);
    }

    @Override
    public void run() {
        try (DeviceColumns runs = new DeviceColumns(owner.context(), sorting, sort.columnBytes(), plan.count())) {
            if (plan.isCutUp()) {
                try (Slots slots = new Slots()) {
                    makeRuns(runs);
                    sortBuckets(runs, slots, findCuts(runs));
                }
            } else {
                makeRuns(runs);
                sendBack(runs);
            }
        }
    }

    /// Copies back the only chunk. The threads that copy are woken while the device sorts, and a failed kernel is
    /// noticed before they write. Pinned memory, to which the device writes by itself, is only submitted after the
    /// sort, since it counts as written from then on.
    private void sendBack(DeviceColumns runs) {
        Event sorted = mark();
        for (MemorySegment column : host) {
            if (column.isNative()) {
                sorting.synchronize();
            }
        }
        download(downloads -> downloads.submit(chunkParts(host, 0, runs, 0), sorted));
    }

    private void makeRuns(DeviceColumns runs) {
        Event allocated = mark();
        try (UploadFlow uploads = owner.uploads(byteSize(), uploadClock)) {
            List<TransferBatch> batches = new ArrayList<>();
            for (int chunk = 0; chunk < plan.chunks(); chunk++) {
                watch.mayStop();
                batches.add(uploads.submit(chunkParts(host, chunk, runs, plan.begin(chunk)), allocated));
            }
            for (int chunk = 0; chunk < plan.chunks(); chunk++) {
                watch.mayStop();
                sorting.waitFor(batches.get(chunk).completion());
                enqueueSort(plan.size(chunk), runs.from(plan.begin(chunk)));
            }
            uploads.finish();
        }
    }

    /// Finds where the part of each bucket begins in each run. Buckets begin at ranks that are multiples of the size of
    /// a chunk; the last row has the ends of the runs. Waits for the device.
    ///
    /// @return positions within the runs, by bucket and run
    private long[][] findCuts(DeviceColumns runs) {
        int chunks = plan.chunks();
        int found = (chunks - 1) * chunks;
        MemorySegment onHost = owner.cuts();
        try (DeviceAllocation onDevice =
                DeviceAllocation.allocateAsync(owner.context(), sorting, (long) found * Long.BYTES)) {
            DeviceElements elements = sort.asInput(runs.address(0, 0), 0);
            sort.kernels()
                    .of("find_cuts")
                    .ofBlocks(chunks * KernelConstants.WARP_SIZE, SharedMemory.FIND_CUTS)
                    .with(elements.fields())
                    .values(plan.count(), plan.chunkCount(), onDevice.address())
                    .launch(sorting, chunks - 1);
            sorting.copyToHost(onHost, onDevice.address(), (long) found * Long.BYTES);
            sorting.synchronize();
        }
        long[][] cuts = new long[chunks + 1][chunks];
        for (int bucket = 1; bucket < chunks; bucket++) {
            long[] cut = new long[chunks];
            MemorySegment.copy(onHost, ValueLayout.JAVA_LONG, (bucket - 1L) * chunks * Long.BYTES, cut, 0, chunks);
            cuts[bucket] = corrected(cut, cuts[bucket - 1], plan.begin(bucket));
        }
        Arrays.setAll(cuts[chunks], plan::size);
        return cuts;
    }

    /// Returns the cuts as they were found if they fit together. An order that contradicts itself may lead to cuts that
    /// do not add up; in that case this returns others that do.
    ///
    /// @param after the cuts of the bucket before
    /// @param rank  how many elements are before the cuts
    private long[] corrected(long[] found, long[] after, long rank) {
        boolean fits = Arrays.stream(found).sum() == rank;
        for (int run = 0; run < found.length; run++) {
            fits &= after[run] <= found[run] && found[run] <= plan.size(run);
        }
        if (fits) {
            return found;
        }
        if (sort.element().isOrderTrusted()) {
            throw new IllegalStateException("the cuts of rank " + rank + " do not add up: " + Arrays.toString(found)
                    + " after " + Arrays.toString(after) + "; this is a defect of samplesort, please report it");
        }
        long[] cuts = after.clone();
        long missing = rank - Arrays.stream(after).sum();
        for (int run = 0; run < cuts.length; run++) {
            long taken = Math.min(missing, plan.size(run) - cuts[run]);
            cuts[run] += taken;
            missing -= taken;
        }
        return cuts;
    }

    private void sortBuckets(DeviceColumns runs, Slots slots, long[][] cuts) {
        download(downloads -> {
            List<TransferBatch> batches = new ArrayList<>();
            for (int bucket = 0; bucket < plan.chunks(); bucket++) {
                if (bucket >= HostPlan.SLOTS) {
                    sorting.waitFor(batches.get(bucket - HostPlan.SLOTS).completion());
                }
                DeviceColumns slot = slots.get(bucket);
                gather(runs, cuts[bucket], cuts[bucket + 1], slot);
                enqueueSort(plan.size(bucket), slot.from(0));
                batches.add(downloads.submit(chunkParts(host, bucket, slot, 0), mark()));
            }
        });
    }

    private void gather(DeviceColumns runs, long[] from, long[] to, DeviceColumns slot) {
        long filled = 0;
        for (int run = 0; run < plan.chunks(); run++) {
            long length = to[run] - from[run];
            for (int c = 0; c < host.size() && length > 0; c++) {
                sorting.copyOnDevice(
                        slot.address(c, filled),
                        runs.address(c, plan.begin(run) + from[run]),
                        length * sort.columnBytes()[c]);
            }
            filled += length;
        }
    }

    private void download(Consumer<DownloadFlow> submit) {
        watch.mayStop();
        watch.moves();
        try (DownloadFlow downloads = owner.downloads(byteSize(), downloadClock)) {
            writeBack(downloads, () -> {
                submit.accept(downloads);
                downloads.finish();
            });
        }
    }

    /// Does work that copies results back to the input. A failure before anything is written is thrown as it is.
    private void writeBack(DownloadFlow downloads, Runnable work) {
        try {
            work.run();
            isWrittenBack = true;
        } catch (RuntimeException | Error e) {
            downloads.closeAfter(e);
            if (downloads.writtenBytes() == 0) {
                throw e;
            }
            throw afterWriting(downloads.writtenBytes(), e);
        }
    }

    @Override
    public SortReport report(long start) {
        return report(start, byteSize());
    }

    @Override
    public boolean isWrittenBack() {
        return isWrittenBack;
    }

    private SampleSortException afterWriting(long writtenBytes, Throwable failure) {
        return new SampleSortException(
                "the GPU failed while the sorted elements were copied back: " + writtenBytes + " of the "
                        + byteSize() + " bytes of the input are overwritten with sorted elements, the rest is as it"
                        + " was; the input is lost",
                failure);
    }
}
