package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.launch.RunKernels;
import io.samplesort.gpu.launch.SoughtOrder;

/// Launches what looks for order that is there already, and times it. Whoever waits for the sort anyway launches
/// nothing else before the first look at the input is over, as it may find nothing to do.
///
/// @param runs null where sorted runs are not looked for
record OrderPhases(SortCall call, SoughtOrder sought, RunKernels.Memory runs) {
    /// Returns what is looked for in the input of a sort.
    ///
    /// @param search device address of an `OrderSearch`
    static SoughtOrder sought(SortCall call, long count, long search, long mark) {
        return new SoughtOrder(
                call.on(),
                call.input(),
                call.output(),
                count,
                search,
                mark,
                call.host().orderAddress());
    }

    /// Returns whether the sort waits for the first look at the input before it goes on.
    boolean isAwaited() {
        return sought.told() != 0;
    }

    /// Finds out whether the input may be in order already.
    void findOrder() {
        call.timer().phase("find_order");
        call.kernels().order().findOrder(sought);
    }

    /// Puts the input in its place if it is in order.
    void putInOrder() {
        call.timer().phase("put_in_order");
        call.kernels().order().putInOrder(sought);
    }

    /// Finds out whether the input consists of a few sorted runs, and merges them in the scratch memory.
    void mergeRuns() {
        if (runs == null) {
            return;
        }
        RunKernels kernels = call.kernels().runs();
        call.timer().phase("find_runs");
        kernels.findRuns(sought, runs);
        call.timer().phase("cut_runs");
        kernels.cutRuns(sought, runs);
        call.timer().phase("merge_runs");
        kernels.mergeRuns(sought, runs);
        call.timer().phase("sort_runs");
        kernels.sortRuns(sought, runs);
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
