package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.GivenSegments;
import io.samplesort.gpu.plan.Group;
import io.samplesort.gpu.plan.Workspace;
import io.samplesort.gpu.plan.WorkspaceLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// A sort on the device: sample sort as the phases of the paper (Section 4). Each phase is a kernel, and the kernels
/// are put on a stream one after another without waiting for any of them.
public final class Phases {
    /// Bytes of pinned memory that say that the caller waits for a sort: for the size of the largest bucket, and behind
    /// it for what the host is told of the order of the input.
    public static final int WAITED_BYTES = 2 * Long.BYTES;

    private final Context context;
    private final Kernels kernels;
    private final RepeatedSorts repeated = new RepeatedSorts();

    public Phases(Context context, Kernels kernels) {
        this.context = context;
        this.kernels = kernels;
    }

    Context context() {
        return context;
    }

    Kernels kernels() {
        return kernels;
    }

    /// Puts the phases of a sort on a stream, and allocates there what the layout takes.
    ///
    /// @param output        where the result goes: the input itself, or another array where there are passes
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks. If it is as large
    ///     as a caller says who waits for this sort and nothing else ([#WAITED_BYTES]), this may wait, too.
    void enqueue(
            Stream on,
            WorkspaceLayout layout,
            DeviceElements input,
            DeviceElements output,
            PhaseTimer timer,
            MemorySegment largestBucket) {
        enqueue(on, layout, input, output, timer, largestBucket, 0);
    }

    /// Does the same and allocates at least so many bytes, for somebody who needs so many behind the sort: on the same
    /// stream the pool can give them the same memory.
    void enqueue(
            Stream on,
            WorkspaceLayout layout,
            DeviceElements input,
            DeviceElements output,
            PhaseTimer timer,
            MemorySegment largestBucket,
            long leastBytes) {
        boolean isCounted = layout.countsValues() || layout.movesByValue();
        if (largestBucket != null && (isCounted || layout.plan.passCount() == 0)) {
            // All keys of one value are equal, so no bucket of them needs sorting.
            largestBucket.set(ValueLayout.JAVA_LONG, 0, isCounted ? 0L : layout.plan.elementCount());
        }
        if (layout.isOneLaunch()) {
            if (layout.plan.elementCount() > 0) {
                SortAlone sort = new SortAlone(kernels, on, output, layout.plan.elementCount());
                timer.phase("small_sort");
                repeated.launch(on, layout, 0, input, output, null, sort);
                timer.end();
            }
            return;
        }
        if (layout.runs != null) {
            // What has to be compiled or loaded first fails before anything is launched.
            kernels.runs();
        }
        try (Workspace workspace = new Workspace(context, on, layout, output, leastBytes)) {
            Launcher launch = new Launcher(kernels, workspace, timer, input, output, largestBucket);
            if (launch.hostOrder() != 0) {
                largestBucket.set(ValueLayout.JAVA_LONG, Long.BYTES, 0L);
            }
            if (timer.isOn()) {
                launch.begin();
                if (!launch.endsEarly()) {
                    launch.goOn();
                }
                timer.end();
            } else {
                repeated.launch(on, layout, workspace.address(0), input, output, largestBucket, launch);
            }
        }
    }

    /// Launches the only phase of a sort that fits one block.
    private record SortAlone(Kernels kernels, Stream on, DeviceElements elements, long count)
            implements RepeatedSorts.Launches {
        @Override
        public void begin() {
            kernels.sortAlone(on, elements, count);
        }

        @Override
        public boolean endsEarly() {
            return true;
        }

        @Override
        public void goOn() {
            throw new IllegalStateException("this sort is one launch");
        }
    }

    /// Puts the phases on a stream that follow a first pass that was made elsewhere, and allocates there what the
    /// layout takes.
    ///
    /// @param segments      what the first pass has left
    /// @param pinned        memory for the segments, which has to stay as it is until the stream has come this far
    /// @param received      where the segments lie, the first of them at the beginning. From there on this needs as
    ///     much memory as all of them take.
    /// @param output        where the result goes
    /// @param leastBytes    how much to allocate at least: the pool has the same memory for all groups then
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks
    void enqueueBehind(
            Stream on,
            WorkspaceLayout layout,
            GivenSegments segments,
            MemorySegment pinned,
            DeviceElements received,
            DeviceElements output,
            long leastBytes,
            MemorySegment largestBucket) {
        try (Workspace workspace = new Workspace(context, on, layout, output, leastBytes, received)) {
            launchBehind(workspace, segments, pinned, received, output, largestBucket);
        }
    }

    private void launchBehind(
            Workspace workspace,
            GivenSegments segments,
            MemorySegment pinned,
            DeviceElements received,
            DeviceElements output,
            MemorySegment largestBucket) {
        segments.upload(workspace, pinned);
        Launcher launch = new Launcher(kernels, workspace, PhaseTimer.none(), received, output, largestBucket);
        launch.begin();
        launch.goOn();
    }

    /// Launches the phases of one sort, and times them.
    private record Launcher(
            Kernels kernels,
            Workspace workspace,
            PhaseTimer timer,
            DeviceElements input,
            DeviceElements output,
            MemorySegment largestBucket)
            implements RepeatedSorts.Launches {
        /// Any constant will do as a seed: samples are stratified, and what an unlucky sample makes slow is still
        /// sorted right.
        private static final long SAMPLE_SEED = 0x5eed5a3713500L;

        /// What the device writes while the host reads it.
        private static final VarHandle TOLD = ValueLayout.JAVA_INT.varHandle();

        /// How long the host waits for the first look at the input without asking the driver, in ns. It is over long
        /// before what looks for order has been launched.
        private static final long LOOK_NANOS = 1_000_000;

        /// Launches the first pass, and what looks for order while its splitters are chosen. Whoever waits for the sort
        /// anyway launches nothing else before the first look at the input is over, as it may find nothing to do.
        @Override
        public void begin() {
            WorkspaceLayout layout = workspace.layout();
            if (layout.countsValues()) {
                byValue().countValues();
                return;
            }
            if (layout.ranksRuns()) {
                timer.phase("rank_runs");
                kernels.rankRuns(workspace, input, output);
                return;
            }
            if (layout.seeksOrder) {
                findOrder();
                if (!layout.movesByValue()) {
                    timer.phase("select_splitters");
                    kernels.splitters().beginSplitters(workspace, input, SAMPLE_SEED);
                }
                putInOrder();
                if (hostOrder() == 0 && layout.runs != null) {
                    findRuns();
                }
            }
            if (hostOrder() == 0) {
                firstPass();
            }
        }

        /// Waits for the first look at the input, which is a kernel of some microseconds, and makes use of the order
        /// that it has seen.
        @Override
        public boolean endsEarly() {
            WorkspaceLayout layout = workspace.layout();
            if (layout.countsValues() || layout.ranksRuns()) {
                return true;
            }
            if (hostOrder() == 0 || awaitLook() == KernelConstants.IS_IN_NO_ORDER || !isPlaced()) {
                return false;
            }
            // No bucket of the input needed sorting.
            largestBucket.set(ValueLayout.JAVA_LONG, 0, 0L);
            return true;
        }

        /// Waits for the first look at an input, and returns what it has told.
        private int awaitLook() {
            long start = System.nanoTime();
            while (toldOrder() == 0 && System.nanoTime() - start < LOOK_NANOS) {
                Thread.onSpinWait();
            }
            if (toldOrder() == 0) {
                workspace.stream().synchronize();
            }
            return toldOrder();
        }

        /// Puts an input in its place that may be in order, or consist of a few sorted runs. Returns false if it is in
        /// no such order.
        private boolean isPlaced() {
            WorkspaceLayout layout = workspace.layout();
            if (toldOrder() != KernelConstants.MAY_BE_RUNS) {
                workspace.stream().synchronize();
                if (toldOrder() == KernelConstants.IS_IN_ORDER) {
                    return true;
                }
            }
            if (layout.runs == null) {
                return false;
            }
            findRuns();
            workspace.stream().synchronize();
            return toldOrder() == KernelConstants.IS_IN_ORDER;
        }

        /// Returns the address of what the host is told of the order; 0 where it is told nothing.
        private long hostOrder() {
            boolean waits = largestBucket != null && largestBucket.byteSize() == WAITED_BYTES;
            return workspace.layout().seeksOrder && waits ? largestBucket.address() + Long.BYTES : 0;
        }

        private int toldOrder() {
            return (int) TOLD.getVolatile(largestBucket, (long) Long.BYTES);
        }

        /// Launches the phases behind the first pass, and that pass where it has waited.
        @Override
        public void goOn() {
            WorkspaceLayout layout = workspace.layout();
            if (hostOrder() != 0) {
                firstPass();
            }
            if (layout.movesByValue()) {
                byValue().moveByValue();
                return;
            }
            Group all = layout.all();
            int passes = layout.plan.passCount();
            if (layout.rooms.hasParts()) {
                placeRooms();
            }
            if (passes > 1) {
                // The splitters of all groups are chosen at once, which keeps the GPU busier.
                selectSplitters(1, all);
            }
            for (int number = 0; number < layout.groupCount(); number++) {
                Group group = layout.group(number);
                for (int pass = 1; pass < passes; pass++) {
                    divide(pass, group);
                }
                smallSort(group);
            }
            mergeSort();
        }

        private void firstPass() {
            WorkspaceLayout layout = workspace.layout();
            if (layout.movesByValue()) {
                byValue().countBytes();
            } else if (!layout.isExchanged) {
                divide(0, layout.all());
            }
        }

        /// Finds out whether the input may be in order already.
        private void findOrder() {
            timer.phase("find_order");
            kernels.order().findOrder(workspace, input, output, hostOrder());
        }

        /// Puts the input in its place if it is in order.
        private void putInOrder() {
            timer.phase("put_in_order");
            kernels.order().putInOrder(workspace, input, output, hostOrder());
        }

        /// Finds out whether the input consists of a few sorted runs, and merges them.
        private void findRuns() {
            timer.phase("find_runs");
            kernels.runs().findRuns(workspace, input, hostOrder());
            mergeRuns();
        }

        /// Merges sorted runs in the scratch memory, if there are any.
        private void mergeRuns() {
            timer.phase("cut_runs");
            kernels.runs().cutRuns(workspace);
            timer.phase("merge_runs");
            kernels.runs().mergeRuns(workspace, output);
            timer.phase("sort_runs");
            kernels.runs().sortRuns(workspace, output);
        }

        private ValuePhases byValue() {
            return new ValuePhases(kernels, workspace, timer, input, output);
        }

        /// Divides the segments of a group.
        private void divide(int pass, Group group) {
            DeviceElements in = array(pass);
            DeviceElements out = array(pass + 1);
            if (pass != 1) {
                selectSplitters(pass, group);
            }
            if (workspace.layout().rooms.counted(pass) > 0) {
                timer.phase("give_room");
                long counted = workspace.layout().rooms.counted(pass);
                kernels.splitters().countSample(workspace, in, SAMPLE_SEED, counted);
                kernels.splitters().giveRoom(workspace, counted);
            }
            scatter(pass, group, in, out);
            scanCounts(pass, group);
        }

        private void placeRooms() {
            timer.phase("place_rooms");
            kernels.splitters().placeRooms(workspace, output);
        }

        private void selectSplitters(int pass, Group group) {
            timer.phase("select_splitters");
            kernels.splitters().selectSplitters(workspace, pass, group, array(pass), SAMPLE_SEED + pass);
        }

        private void scanCounts(int pass, Group group) {
            timer.phase("scan_counts");
            kernels.scanCounts(workspace, pass, group);
        }

        private void scatter(int pass, Group group, DeviceElements in, DeviceElements out) {
            timer.phase("scatter");
            kernels.scatter(workspace, pass, group, in, out);
        }

        private void smallSort(Group group) {
            timer.phase("small_sort");
            kernels.smallSort(workspace, group, array(workspace.layout().plan.passCount()), output, input);
        }

        private void mergeSort() {
            timer.phase("merge_sort");
            kernels.mergeSort(workspace, output, workspace.scratch(), largestBucket);
        }

        /// Returns the array that `passes` passes have written; the input for none.
        private DeviceElements array(int passes) {
            return passes == 0 ? input : workspace.target(passes - 1);
        }
    }
}
