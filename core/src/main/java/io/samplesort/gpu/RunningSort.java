package io.samplesort.gpu;

import io.samplesort.cuda.Owned;
import io.samplesort.gpu.plan.WorkspaceLayout;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A sort that its caller waits for, from the choice of its memory layout to its report. The context of the GPU is
/// current until it is closed, see [WaitedCall].
final class RunningSort implements AutoCloseable {
    private final long start = System.nanoTime();
    private final GpuResources gpu;
    private final WaitedCall call;
    private final PhaseTimer timer;
    private final Owned owned = new Owned();
    private long besideBytes;
    private long laterBytes;
    private WorkspaceLayout layout;

    /// @param what        the sort, for errors, with a place for the count
    /// @param besideBytes device memory that the sort takes beside its layout
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if there is not enough device memory
    RunningSort(GpuResources gpu, String what, long count, long besideBytes) {
        this(gpu, what, count, besideBytes, 0);
    }

    /// Does the same for a sort that takes memory in the place of its layout later.
    RunningSort(GpuResources gpu, String what, long count, long besideBytes, long laterBytes) {
        this(gpu);
        try {
            choose(what, count, besideBytes, laterBytes);
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Opens a sort whose layout is chosen later, by [#choose].
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

    /// Chooses the layout, as the constructor does that takes the same.
    void choose(String what, long count, long bytesBeside) {
        choose(what, count, bytesBeside, 0);
    }

    private void choose(String what, long count, long bytesBeside, long bytesLater) {
        besideBytes = bytesBeside;
        laterBytes = bytesLater;
        layout = gpu.sort().layouts().choose(what, count, bytesBeside, bytesLater);
    }

    WorkspaceLayout layout() {
        return layout;
    }

    PhaseTimer timer() {
        return timer;
    }

    /// Returns where the kernels write the size of the largest bucket, and what the host is told of the order.
    MemorySegment largestBucket() {
        return gpu.waitedReadBack();
    }

    /// Nobody asks for the largest bucket of several sorts.
    void forgetLargestBucket() {
        largestBucket().set(ValueLayout.JAVA_LONG, 0, 0);
    }

    /// Does the same as [#finish] for a sort of strings. Nobody counts the bytes that all its sorts of words move.
    SortReport finishStrings() {
        return new SortReportBuilder(finish()).bytesMoved(0).build();
    }

    /// Waits for the device and reports what the sort did.
    SortReport finish() {
        call.finish();
        long largest = largestBucket().get(ValueLayout.JAVA_LONG, 0);
        long extraBytes = Math.max(layout.byteSize, laterBytes) + besideBytes;
        return gpu.sort().report(layout.plan.elementCount(), layout, 1, extraBytes, largest, timer, start);
    }

    @Override
    public void close() {
        owned.close();
    }
}
