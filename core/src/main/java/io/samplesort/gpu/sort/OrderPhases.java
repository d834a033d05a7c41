package io.samplesort.gpu.sort;

import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.KernelLaunch;

/// Launches and times the search for order: it finds inputs that are in order already, or in the opposite order, or
/// consist of a few sorted runs. It changes nothing of other inputs. If the caller waits for the sort anyway, nothing
/// else is launched before the first look at the input is over, as there may be nothing to do.
///
/// @param count  the number of elements of the input
/// @param search device address of the state of the search, an `OrderSearch` that is 0 before
/// @param mark   device address of the mark of the input as the only segment of a first pass: kernels that have put the
///     input where it belongs set it
/// @param runs   null if sorted runs are not looked for
record OrderPhases(SortCall call, long count, long search, long mark, RunMemory runs) {
    /// Sampled elements for each section; in sorted order, the first of them is where the section begins.
    private static final int SAMPLES_A_SECTION = 2;

    /// The memory for finding and merging sorted runs.
    ///
    /// @param scratch  an array as large as the input
    /// @param search   device address of the state of that search, a `RunSearch` that is 0 before
    /// @param cuts     device address for the begin of each section in each run
    /// @param sections the number of sections, which are merged one by one
    /// @param most     the most runs that are merged
    record RunMemory(DeviceElements scratch, long search, long cuts, int sections, int most) {}

    /// Returns whether the sort waits for the first look at the input before it goes on.
    boolean isAwaited() {
        return told() != 0;
    }

    /// Returns the address of pinned memory for what the host is told; 0 if it is told nothing.
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

    /// Returns how many blocks take the first look. They leave some multiprocessors to the blocks that choose
    /// splitters, which need much shared memory: a multiprocessor has to become empty before its memory is divided
    /// anew. But if equal elements keep their order, the first look may have to cover the whole input.
    private long blocksThatLookFirst(KernelLaunch findOrder) {
        long blocks = Math.min(blocks(), findOrder.residentBlocks());
        boolean keepsOrder = call.kernels().element().keepsOrder();
        return keepsOrder ? blocks : Math.clamp(call.kernels().multiprocessorCount() / 2, 1, blocks);
    }

    private long blocks() {
        return Math.ceilDiv(count, (long) ORDER_THREADS);
    }

    /// Puts the input where it belongs if it really is in the order that [#findOrder] has found possible. In that case
    /// later phases see an input without elements.
    void putInOrder() {
        call.phase("put_in_order")
                .with(call.input().fields(), call.output().fields())
                .values(count, search, mark, told())
                .launchFor(call.on(), blocks());
    }

    /// Finds out whether the input consists of a few sorted runs. If so, it is copied to the scratch memory, cut into
    /// sections and merged to where the result goes, and later phases see an input without elements.
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

    /// Waits for the first look at the input, a kernel of some microseconds, if this is asked for. Returns whether the
    /// input has been put in its place.
    boolean endsSort() {
        if (!isAwaited() || !isPlaced(call.host().awaitLook(call.on()))) {
            return false;
        }
        // No bucket of the input needed sorting.
        call.host().tellBucket(0);
        return true;
    }

    /// Puts an input where it belongs that may be in order or consist of a few sorted runs. Returns false if it turns
    /// out to be neither.
    ///
    /// @param seen what the first look has found
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
