package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A sort on the device: sample sort as the phases of the paper (Section 4), each a kernel, put on a stream one after
/// another without waiting for any of them.
public record Phases(Context context, Kernels kernels) {
    /// Any constant will do: samples are stratified, and what an unlucky one makes slow is still sorted right.
    private static final long SAMPLE_SEED = 0x5eed5a3713500L;

    /// Puts the phases of a sort on a stream.
    ///
    /// @param output where the result goes: the input itself, or in the fast layout another array
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks
    void enqueue(
            Stream on,
            WorkspaceLayout layout,
            DeviceElements input,
            DeviceElements output,
            PhaseTimer timer,
            MemorySegment largestBucket) {
        SortPlan plan = layout.plan;
        try (Workspace workspace = new Workspace(context, on, layout)) {
            DeviceElements in = input;
            if (plan.passCount() == 0) {
                timer.phase("prepare");
                kernels.prepare(on, workspace, input);
            }
            for (int pass = 0; pass < plan.passCount(); pass++) {
                DeviceElements out = workspace.target(pass, input);
                timer.phase("select_splitters");
                kernels.selectSplitters(on, workspace, pass, in, SAMPLE_SEED + pass);
                if (!layout.isFast) {
                    timer.phase("count_buckets");
                    kernels.countBuckets(on, workspace, pass, in);
                    timer.phase("scan_counts");
                    kernels.scanCounts(on, workspace, pass);
                }
                timer.phase("scatter");
                kernels.scatter(on, workspace, pass, in, out);
                if (layout.isFast) {
                    timer.phase("scan_counts");
                    kernels.scanCounts(on, workspace, pass);
                }
                in = out;
            }
            boolean hasPasses = plan.passCount() > 0;
            DeviceElements scratch = hasPasses ? workspace.scratch() : in;
            timer.phase("small_sort");
            kernels.smallSort(on, workspace, in, output, scratch, input);
            if (hasPasses) {
                timer.phase("merge_sort");
                kernels.mergeSort(on, workspace, output, scratch, largestBucket);
            } else if (largestBucket != null) {
                largestBucket.set(ValueLayout.JAVA_LONG, 0, plan.elementCount());
            }
            timer.end();
        }
    }
}
