package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A sort on the device: sample sort as the phases of the paper (Section 4). Each phase is a kernel, and the kernels
/// are put on a stream one after another without waiting for any of them.
public record Phases(Context context, Kernels kernels) {
    /// Puts the phases of a sort on a stream.
    ///
    /// @param output        where the result goes: the input itself, or in the fast layout another array
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks
    void enqueue(
            Stream on,
            WorkspaceLayout layout,
            DeviceElements input,
            DeviceElements output,
            PhaseTimer timer,
            MemorySegment largestBucket) {
        try (Workspace workspace = new Workspace(context, on, layout)) {
            Launcher launch = new Launcher(kernels, workspace, timer);
            if (layout.countsValues()) {
                launch.countValues(input, output, largestBucket);
                timer.end();
                return;
            }
            DeviceElements in = input;
            for (int pass = 0; pass < layout.plan.passCount(); pass++) {
                DeviceElements out = workspace.target(pass, input);
                launch.selectSplitters(pass, in);
                if (layout.isFast) {
                    launch.scatter(pass, in, out);
                    launch.scanCounts(pass);
                } else {
                    launch.countBuckets(pass, in);
                    launch.scanCounts(pass);
                    launch.scatter(pass, in, out);
                }
                in = out;
            }
            if (layout.plan.passCount() > 0) {
                launch.smallSort(in, output, input);
                launch.mergeSort(output, input, largestBucket);
            } else {
                launch.prepare(input, largestBucket);
                launch.smallSort(in, output, input);
            }
            timer.end();
        }
    }

    /// Launches the phases of one sort, and times them.
    private record Launcher(Kernels kernels, Workspace workspace, PhaseTimer timer) {
        /// Any constant will do as a seed: samples are stratified, and what an unlucky sample makes slow is still
        /// sorted right.
        private static final long SAMPLE_SEED = 0x5eed5a3713500L;

        /// An input that needs no pass is the one bucket.
        void prepare(DeviceElements input, MemorySegment largestBucket) {
            timer.phase("prepare");
            kernels.prepare(workspace, input);
            if (largestBucket != null) {
                largestBucket.set(
                        ValueLayout.JAVA_LONG, 0, workspace.layout().plan.elementCount());
            }
        }

        /// All keys of one value are equal, so no bucket needs sorting.
        void countValues(DeviceElements input, DeviceElements output, MemorySegment largestBucket) {
            timer.phase("count_values");
            kernels.values().countValues(workspace, input);
            timer.phase("scan_values");
            kernels.values().scanValues(workspace);
            timer.phase("fill_values");
            kernels.values().fillValues(workspace, output);
            if (largestBucket != null) {
                largestBucket.set(ValueLayout.JAVA_LONG, 0, 0L);
            }
        }

        void selectSplitters(int pass, DeviceElements in) {
            timer.phase("select_splitters");
            kernels.selectSplitters(workspace, pass, in, SAMPLE_SEED + pass);
        }

        void countBuckets(int pass, DeviceElements in) {
            timer.phase("count_buckets");
            kernels.countBuckets(workspace, pass, in);
        }

        void scanCounts(int pass) {
            timer.phase("scan_counts");
            kernels.scanCounts(workspace, pass);
        }

        void scatter(int pass, DeviceElements in, DeviceElements out) {
            timer.phase("scatter");
            kernels.scatter(workspace, pass, in, out);
        }

        void smallSort(DeviceElements in, DeviceElements output, DeviceElements input) {
            timer.phase("small_sort");
            kernels.smallSort(workspace, in, output, workspace.scratch(input), input);
        }

        void mergeSort(DeviceElements output, DeviceElements input, MemorySegment largestBucket) {
            timer.phase("merge_sort");
            kernels.mergeSort(workspace, output, workspace.scratch(input), largestBucket);
        }
    }
}
