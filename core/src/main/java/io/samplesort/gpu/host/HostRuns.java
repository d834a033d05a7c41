package io.samplesort.gpu.host;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.errors.SampleSortException;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.memory.LargeMemory;
import io.samplesort.memory.RunCuts;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/// A sort of more host memory than the device holds, see [HostSort], or one that several GPUs share. Runs go to other
/// host memory and come back as buckets. The runs are kept until the end, so that no element is lost if a device
/// fails.
///
/// Several GPUs sort chunks and buckets side by side, each with a thread of its own, which waits for copies. A GPU
/// takes the next chunk when it has room for it, so a faster GPU, or one with a faster link, sorts more of them.
final class HostRuns implements HostPipeline {
    private final HostPlan plan;
    private final List<MemorySegment> host;
    private final Comparator<MemorySegment> order;
    private final int[] columnBytes;
    private final List<RunStream> gpus = new ArrayList<>();
    private final Owned owned = new Owned();
    /// The GPU that failed first; null if none has.
    private final AtomicReference<RunStream> failed = new AtomicReference<>();
    private final SortWatch watch = SortWatch.current();
    private List<MemorySegment> runs = List.of();
    private boolean isWrittenBack;

    /// @param owners what each GPU sorts with
    /// @param plans  a plan for each GPU, with the same chunks
    /// @param order  the order of the elements of the first column
    HostRuns(
            List<HostSort> owners,
            List<HostPlan> plans,
            List<MemorySegment> host,
            boolean isTimed,
            Comparator<MemorySegment> order) {
        this.plan = plans.getFirst();
        this.host = host;
        this.order = order;
        this.columnBytes = owners.getFirst().sort().columnBytes();
        try {
            for (int gpu = 0; gpu < owners.size(); gpu++) {
                open(owners.get(gpu), plans.get(gpu), isTimed);
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private void open(HostSort owner, HostPlan ownPlan, boolean isTimed) {
        Context context = owner.context();
        try (Context.Scope scope = context.enter()) {
            RunStream gpu = new RunStream(owner, ownPlan, host, isTimed);
            gpus.add(gpu);
            owned.add(() -> {
                try (Context.Scope closing = context.enter()) {
                    gpu.close();
                }
            });
        }
    }

    @Override
    public void run() {
        try (Arena memory = Arena.ofShared()) {
            runs = host.stream().map(column -> memoryLike(column, memory)).toList();
            Numbers chunks = new Numbers();
            onAll(gpu -> gpu.sortChunks(
                    stoppable(chunks.of(gpu)),
                    (chunk, slot) -> gpu.chunkParts(host, chunk, slot, 0),
                    (chunk, slot) -> gpu.chunkParts(runs, chunk, slot, 0)));
            long[][] cuts = findCuts(runs.getFirst());
            Numbers buckets = new Numbers();
            watch.mayStop();
            watch.moves();
            try {
                onAll(gpu -> gpu.sortChunks(
                        buckets.of(gpu),
                        (bucket, slot) -> bucketParts(cuts[bucket], cuts[bucket + 1], slot),
                        (bucket, slot) -> gpu.chunkParts(host, bucket, slot, 0)));
                isWrittenBack = true;
            } catch (RuntimeException | Error e) {
                if (gpus.stream().allMatch(gpu -> gpu.writtenBytes() == 0)) {
                    throw e;
                }
                throw afterWriting(e);
            }
        }
    }

    /// Returns the same numbers, and stops before one of them if the sort is to stop.
    private IntSupplier stoppable(IntSupplier chunks) {
        return () -> {
            watch.mayStop();
            return chunks.getAsInt();
        };
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

    /// Hands out the chunks by number: each GPU gets one for sure, and the rest go to the GPU that asks first. There
    /// are no more once a GPU has failed.
    private final class Numbers {
        private final AtomicInteger next = new AtomicInteger(gpus.size());

        /// Returns a supplier of chunk numbers for one GPU.
        IntSupplier of(RunStream gpu) {
            AtomicInteger own = new AtomicInteger(gpus.indexOf(gpu));
            return () -> {
                int first = own.getAndSet(plan.chunks());
                int number =
                        failed.get() != null ? plan.chunks() : first < plan.chunks() ? first : next.getAndIncrement();
                return number < plan.chunks() ? number : -1;
            };
        }
    }

    /// Runs `work` for all GPUs side by side, and waits for all of them.
    private void onAll(Consumer<RunStream> work) {
        List<Background<Void>> others = new ArrayList<>();
        for (RunStream gpu : gpus.subList(1, gpus.size())) {
            others.add(Background.start("gpu", () -> {
                onOne(gpu, work);
                return null;
            }));
        }
        try {
            onOne(gpus.getFirst(), work);
        } catch (RuntimeException | Error e) {
            try {
                Background.finish(others);
            } catch (RuntimeException | Error other) {
                e.addSuppressed(other);
            }
            throw e;
        }
        Background.finish(others);
    }

    private void onOne(RunStream gpu, Consumer<RunStream> work) {
        try (Context.Scope scope = gpu.owner.context().enter()) {
            work.accept(gpu);
        } catch (Throwable e) {
            failed.compareAndSet(null, gpu);
            throw e;
        }
    }

    private List<TransferBatch.Part> bucketParts(long[] from, long[] to, DeviceColumns slot) {
        List<TransferBatch.Part> parts = new ArrayList<>();
        for (int c = 0; c < runs.size(); c++) {
            long bytes = columnBytes[c];
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

    /// Finds where the part of each bucket begins in each run; the last row has the ends of the runs.
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
            int bytes = columnBytes[0];
            return keys.asSlice((plan.begin(run) + index) * bytes, bytes);
        }
    }

    /// Copies the runs to where the input was, and returns an exception that says so.
    private SampleSortException afterWriting(Throwable failure) {
        for (int c = 0; c < host.size(); c++) {
            host.get(c).copyFrom(runs.get(c));
        }
        return new SampleSortException(
                name(failed.get())
                        + " failed while the sorted elements were copied back: the input holds all its elements, but not in"
                        + " their former order: each " + plan.chunkCount() + " of them are sorted by themselves",
                failure);
    }

    private String name(RunStream gpu) {
        return gpus.size() == 1
                ? "the GPU"
                : "gpu:" + gpu.owner.context().device().ordinal();
    }

    @Override
    public boolean isWrittenBack() {
        return isWrittenBack;
    }

    @Override
    public SortReport report(long start) {
        List<SortReport> reports = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        for (RunStream gpu : gpus) {
            try (Context.Scope scope = gpu.owner.context().enter()) {
                reports.add(gpu.report(start, gpu == gpus.getFirst() ? gpu.byteSize() : 0));
                counts.add(gpu.sortedCount());
            }
        }
        return SharedReport.of(reports, counts);
    }

    @Override
    public void close() {
        owned.close();
    }
}
