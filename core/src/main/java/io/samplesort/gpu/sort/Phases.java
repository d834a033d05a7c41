package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntFunction;

/// A sort on the device: sample sort as the phases of the paper (Section 4). Each phase is a kernel, and the kernels
/// are put on a stream one after another without waiting for any of them. Groups of buckets go to two streams in turn.
public record Phases(Context context, Kernels kernels, Lanes lanes) {
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
            Launcher launch = new Launcher(kernels, workspace, timer, input);
            if (layout.countsValues()) {
                launch.countValues(output, largestBucket);
                timer.end();
                return;
            }
            Group all = Group.ofAll(on);
            int passes = layout.plan.passCount();
            if (passes == 0) {
                launch.prepare(largestBucket);
            } else {
                if (layout.seeksOrder) {
                    launch.findOrder(output);
                }
                launch.divide(0, all);
            }
            if (passes > 1) {
                // The splitters of all groups are chosen at once, which keeps the GPU busier.
                launch.selectSplitters(1, all);
            }
            sortGroups(launch, layout, on, output, timer);
            if (passes > 0) {
                launch.mergeSort(output, largestBucket);
            }
            timer.end();
        }
    }

    private void sortGroups(
            Launcher launch, WorkspaceLayout layout, Stream on, DeviceElements output, PhaseTimer timer) {
        // Phases that run side by side cannot be timed.
        if (layout.laneCount == 1 || timer.isOn()) {
            sortGroups(launch, layout, output, lane -> on);
            return;
        }
        lanes.fork(on);
        try {
            sortGroups(launch, layout, output, lane -> lanes.stream(on, lane));
        } catch (RuntimeException | Error e) {
            // The memory goes back to the pool in the order of the first stream, and the second may be using it.
            lanes.joinAfter(on, e);
            throw e;
        }
        lanes.join(on);
    }

    private static void sortGroups(
            Launcher launch, WorkspaceLayout layout, DeviceElements output, IntFunction<Stream> streams) {
        for (int number = 0; number < layout.groupCount; number++) {
            int lane = number % layout.laneCount;
            Group group = new Group(number, layout.groupCount, lane, streams.apply(lane));
            for (int pass = 1; pass < layout.plan.passCount(); pass++) {
                launch.divide(pass, group);
            }
            launch.smallSort(group, output);
        }
    }

    /// Launches the phases of one sort, and times them.
    private record Launcher(Kernels kernels, Workspace workspace, PhaseTimer timer, DeviceElements input) {
        /// Any constant will do as a seed: samples are stratified, and what an unlucky sample makes slow is still
        /// sorted right.
        private static final long SAMPLE_SEED = 0x5eed5a3713500L;

        /// An input that needs no pass is the one bucket.
        void prepare(MemorySegment largestBucket) {
            timer.phase("prepare");
            kernels.prepare(workspace, input);
            if (largestBucket != null) {
                largestBucket.set(
                        ValueLayout.JAVA_LONG, 0, workspace.layout().plan.elementCount());
            }
        }

        /// Finds order that is there already, and makes use of it.
        void findOrder(DeviceElements output) {
            timer.phase("find_order");
            kernels.findOrder(workspace, input);
            timer.phase("put_in_order");
            kernels.putInOrder(workspace, input, output);
        }

        /// All keys of one value are equal, so no bucket needs sorting.
        void countValues(DeviceElements output, MemorySegment largestBucket) {
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

        /// Divides the segments of a group.
        void divide(int pass, Group group) {
            DeviceElements in = array(pass, group);
            DeviceElements out = array(pass + 1, group);
            if (pass != 1) {
                selectSplitters(pass, group);
            }
            if (workspace.layout().splitters[pass].countedCount() > 0) {
                timer.phase("give_room");
                kernels.giveRoom(workspace, in, SAMPLE_SEED);
            }
            if (workspace.layout().isFast) {
                scatter(pass, group, in, out);
                scanCounts(pass, group);
            } else {
                timer.phase("count_buckets");
                kernels.countBuckets(workspace, pass, in);
                scanCounts(pass, group);
                scatter(pass, group, in, out);
            }
        }

        void selectSplitters(int pass, Group group) {
            timer.phase("select_splitters");
            kernels.selectSplitters(workspace, pass, group, array(pass, group), SAMPLE_SEED + pass);
        }

        private void scanCounts(int pass, Group group) {
            timer.phase("scan_counts");
            kernels.scanCounts(workspace, pass, group);
        }

        private void scatter(int pass, Group group, DeviceElements in, DeviceElements out) {
            timer.phase("scatter");
            kernels.scatter(workspace, pass, group, in, out);
        }

        void smallSort(Group group, DeviceElements output) {
            timer.phase("small_sort");
            kernels.smallSort(workspace, group, array(workspace.layout().plan.passCount(), group), output, input);
        }

        void mergeSort(DeviceElements output, MemorySegment largestBucket) {
            timer.phase("merge_sort");
            kernels.mergeSort(workspace, output, workspace.scratch(input), largestBucket);
        }

        /// Returns the array that `passes` passes have written; the input for none.
        private DeviceElements array(int passes, Group group) {
            return passes == 0 ? input : workspace.target(passes - 1, group.lane(), input);
        }
    }
}
