package io.samplesort.gpu.sort;

import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.KernelLaunch;

/// Launches what looks for an input that is in order already, or in the opposite order, or consists of a few sorted
/// runs, and times it. Nothing of other inputs is changed. Whoever waits for the sort anyway launches nothing else
/// before the first look at the input is over, as it may find nothing to do.
///
/// @param count  elements of the input
/// @param search device address of what is known of its order, an `OrderSearch` that is 0 before
/// @param mark   device address of what is known of it as the only segment of a first pass: kernels that have put it in
///     its place leave a mark there
/// @param runs   null where sorted runs are not looked for
record OrderPhases(SortCall call, long count, long search, long mark, RunMemory runs) {
    /// Sampled elements for each section, of which the first in order is where it begins.
    private static final int SAMPLES_A_SECTION = 2;

    /// Where sorted runs are looked for and merged.
    ///
    /// @param scratch  an array as large as the input
    /// @param search   device address of what is known of the runs, a `RunSearch` that is 0 before
    /// @param cuts     device address of where each section begins in each run
    /// @param sections that are merged one by one
    /// @param most     runs that are merged at most
    record RunMemory(DeviceElements scratch, long search, long cuts, int sections, int most) {}

    /// Returns whether the sort waits for the first look at the input before it goes on.
    boolean isAwaited() {
        return told() != 0;
    }

    /// Returns the address of pinned memory for what the host is told; 0 where it is told nothing.
    private long told() {
        return call.host().orderAddress();
    }

    /// Finds out whether the input may be in order already, or in the opposite order. The splitters of the first pass,
    /// if it has any, are chosen next, before [#putInOrder].
    void findOrder() {
        KernelLaunch findOrder = call.phase("find_order");
        findOrder
                .with(call.input().fields(), call.output().fields())
                .values(count, search, told())
                .launch(call.on(), blocksThatLookFirst(findOrder));
    }

    /// Returns how many blocks look first. They leave multiprocessors to those that choose splitters, which ask for
    /// much shared memory: a multiprocessor has to become empty before its memory is divided anew. But where equal
    /// elements keep their order, they may have to look at the whole input.
    private long blocksThatLookFirst(KernelLaunch findOrder) {
        long blocks = Math.min(blocks(), findOrder.residentBlocks());
        boolean keepsOrder = call.kernels().element().keepsOrder();
        return keepsOrder ? blocks : Math.clamp(call.kernels().multiprocessorCount() / 2, 1, blocks);
    }

    private long blocks() {
        return Math.ceilDiv(count, (long) ORDER_THREADS);
    }

    /// Puts the input where it belongs if it is in the order that [#findOrder] has found it may be in. The phases
    /// behind see an input without elements then.
    void putInOrder() {
        call.phase("put_in_order")
                .with(call.input().fields(), call.output().fields())
                .values(count, search, mark, told())
                .launchFor(call.on(), blocks());
    }

    /// Finds out whether the input consists of a few sorted runs. If so, it is copied to the scratch memory, cut into
    /// sections and merged to where the result goes, and the phases behind see an input without elements.
    void mergeRuns() {
        if (runs == null) {
            return;
        }
        call.phase("find_runs")
                .with(call.input().fields(), runs.scratch.fields())
                .values(count, runs.search, runs.most, search, mark, told())
                .launchFor(call.on(), blocks());
        call.phase("cut_runs")
                .with(runs.scratch.fields())
                .values(count, runs.search, runs.cuts, runs.sections, SAMPLES_A_SECTION, search)
                .launch(call.on(), Math.ceilDiv(runs.sections * SAMPLES_A_SECTION, ORDER_THREADS / WARP_SIZE));
        // The first of these merges few runs, and the second one more.
        mergeSections(call.phase("merge_runs"));
        mergeSections(call.phase("sort_runs"));
    }

    private void mergeSections(KernelLaunch kernel) {
        kernel.with(runs.scratch.fields(), call.output().fields())
                .values(runs.search, runs.cuts, runs.sections, search)
                .launchFor(call.on(), runs.sections);
    }

    /// Waits for the first look at the input, which is a kernel of some microseconds, where that is asked for. Returns
    /// whether the input has been put in its place.
    boolean endsSort() {
        if (!isAwaited() || !isPlaced(call.host().awaitLook(call.on()))) {
            return false;
        }
        // No bucket of the input needed sorting.
        call.host().tellBucket(0);
        return true;
    }

    /// Puts an input in its place that may be in order, or consist of a few sorted runs. Returns false if it is in no
    /// such order.
    ///
    /// @param seen at the first look
    private boolean isPlaced(int seen) {
        if (seen == KernelConstants.IS_IN_NO_ORDER) {
            return false;
        }
        if (seen != KernelConstants.MAY_BE_RUNS && awaitOrder()) {
            return true;
        }
        if (runs == null) {
            return false;
        }
        mergeRuns();
        return awaitOrder();
    }

    private boolean awaitOrder() {
        return call.host().awaitOrder(call.on()) == KernelConstants.IS_IN_ORDER;
    }
}
