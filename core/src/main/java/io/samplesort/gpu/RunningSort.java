package io.samplesort.gpu;

import io.samplesort.cuda.Owned;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;

/// One sort whose caller waits for it, from the choice of its strategy to its report. The context of the GPU is current
/// until this is closed, see [WaitedCall].
final class RunningSort implements AutoCloseable {
    private final long start = System.nanoTime();
    private final GpuResources gpu;
    private final WaitedCall call;
    private final PhaseTimer timer;
    private final Owned owned = new Owned();
    private long besideBytes;
    private long laterBytes;
    private SortStrategy strategy;

    /// @param what        the sort as errors name it, with a placeholder for the count
    /// @param besideBytes device memory that is taken in addition to what the sort itself takes
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if there is not enough device memory
    RunningSort(GpuResources gpu, String what, long count, long besideBytes) {
        this(gpu, what, count, besideBytes, 0);
    }

    /// Does the same for a sort after which other memory is taken, once its own is free again.
    RunningSort(GpuResources gpu, String what, long count, long besideBytes, long laterBytes) {
        this(gpu);
        try {
            choose(what, count, besideBytes, laterBytes);
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Opens a sort whose strategy is chosen later, by [#choose].
    RunningSort(GpuResources gpu) {
        this.gpu = gpu;
        try {
            call = owned.add(new WaitedCall(gpu));
            timer = owned.add(PhaseTimer.create(gpu.context(), gpu.stream(), gpu.timesPhases()));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Opens a sort of strings, which is several sorts of words.
    static RunningSort ofStrings(GpuResources gpu, String what, long count, long besideBytes) {
        RunningSort running = new RunningSort(gpu, what, count, besideBytes);
        running.forgetLargestBucket();
        return running;
    }

    /// Chooses the strategy, as the constructor with the same parameters does.
    void choose(String what, long count, long bytesBeside) {
        choose(what, count, bytesBeside, 0);
    }

    private void choose(String what, long count, long bytesBeside, long bytesLater) {
        besideBytes = bytesBeside;
        laterBytes = bytesLater;
        strategy = gpu.sort().strategies().choose(what, count, bytesBeside, bytesLater);
    }

    /// Chooses the strategy for a caller that has taken some of the additional memory already.
    ///
    /// @param bytesHeld the bytes of that memory, which do not count in `bytesBeside`
    void chooseHolding(String what, long count, long bytesBeside, long bytesHeld) {
        besideBytes = bytesBeside + bytesHeld;
        strategy = gpu.sort().strategies().choose(what, count, bytesBeside, 0, bytesHeld);
    }

    /// Takes a strategy that was chosen elsewhere.
    ///
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if there is not enough device memory
    void use(String what, SortStrategy chosen, long bytesBeside, long bytesLater) {
        gpu.sort().strategies().check(what, chosen, bytesBeside, bytesLater);
        besideBytes = bytesBeside;
        laterBytes = bytesLater;
        strategy = chosen;
    }

    SortStrategy strategy() {
        return strategy;
    }

    PhaseTimer timer() {
        return timer;
    }

    /// Returns what tells the host that the sort has ended.
    HostWait hostWait() {
        return gpu.hostWait();
    }

    /// Leaves the largest bucket out of the report, as several sorts have no common one.
    void forgetLargestBucket() {
        hostWait().tellBucket(0);
    }

    /// Does the same as [#finish] for a sort of strings. The report has no moved bytes, which sorts of strings do not
    /// count.
    SortReport finishStrings() {
        return new SortReportBuilder(finish()).bytesMoved(0).build();
    }

    /// Waits for the device and reports what a selection did, which has no strategy of its own.
    ///
    /// @param extraBytes the device memory that it has taken
    SortReport finishSelection(long count, long extraBytes) {
        call.finish();
        return gpu.sort().report(count, 0, 0, extraBytes, 0, timer, start);
    }

    /// Waits for the device and reports what the sort did.
    SortReport finish() {
        call.finish();
        long extraBytes = Math.max(strategy.byteSize(), laterBytes) + besideBytes;
        long largest = hostWait().largestBucket();
        return gpu.sort().report(strategy.elementCount(), strategy, 1, extraBytes, largest, timer, start);
    }

    @Override
    public void close() {
        owned.close();
    }
}
