package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.DividingKernels;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.DividingMemory;
import io.samplesort.gpu.launch.Group;

/// Sample sort as the phases of the paper (Section 4). Each phase is a kernel, and the kernels are put on a stream one
/// after another without waiting for any of them.
///
/// @param order null if no order is looked for
record Phases(SortCall call, DividingMemory memory, OrderPhases order) implements RepeatedSorts.Launches {
    /// Any constant will do as a seed: samples are stratified, and an unlucky sample makes a sort slow but never wrong.
    private static final long SAMPLE_SEED = 0x5eed5a3713500L;

    /// Launches the first pass, and the search for order while its splitters are chosen.
    @Override
    public void begin() {
        if (order != null) {
            order.findOrder();
            phase("select_splitters");
            kernels().beginSplitters(memory, call.input(), SAMPLE_SEED);
            order.putInOrder();
        }
        if (!isAwaited()) {
            if (order != null) {
                order.mergeRuns();
            }
            divide(0, layout().all());
        }
    }

    private boolean isAwaited() {
        return order != null && order.isAwaited();
    }

    @Override
    public boolean endsEarly() {
        return order != null && order.endsSort();
    }

    /// Launches the phases after the first pass, and the first pass itself if it has waited.
    @Override
    public void goOn() {
        if (isAwaited()) {
            divide(0, layout().all());
        }
        sortBuckets();
    }

    /// Launches the phases after the first pass.
    void sortBuckets() {
        DividingLayout layout = layout();
        int passes = layout.passCount();
        if (layout.rooms.hasParts()) {
            placeRooms();
        }
        if (passes > 1) {
            // The splitters of all groups are chosen at once, which keeps the GPU busier.
            selectSplitters(1, layout.all());
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

    /// Divides the segments of a group.
    private void divide(int pass, Group group) {
        if (pass != 1) {
            selectSplitters(pass, group);
        }
        long counted = layout().rooms.counted(pass);
        if (counted > 0) {
            phase("give_room");
            kernels().countSample(memory, array(pass), SAMPLE_SEED, counted);
            call.kernels()
                    .of("give_room")
                    .with(memory.firstPass())
                    .values(counted)
                    .launch(call.on(), 1);
        }
        phase("scatter");
        kernels().scatter(memory, pass, group, array(pass), array(pass + 1));
        phase("scan_counts");
        kernels().scanCounts(memory, pass, group);
    }

    private void placeRooms() {
        call.phase("place_rooms")
                .ofShared(SharedMemory.places(layout().plan.bucketCount(0)))
                .with(memory.pass(1, layout().all()), memory.groups(), memory.freePlaces(call.output()))
                .launch(call.on(), 1);
    }

    private void selectSplitters(int pass, Group group) {
        phase("select_splitters");
        kernels().selectSplitters(memory, pass, group, array(pass), SAMPLE_SEED + pass);
    }

    private void smallSort(Group group) {
        phase("small_sort");
        kernels().smallSort(memory, group, array(layout().passCount()), call.output(), call.input());
    }

    private void mergeSort() {
        phase("merge_sort");
        long[] queues = kernels().queues(memory, layout().all());
        kernels()
                .mergeSort(
                        memory,
                        call.output(),
                        memory.scratch(),
                        queues,
                        call.host().bucketAddress());
    }

    private void phase(String name) {
        call.timer().phase(name);
    }

    private DividingKernels kernels() {
        return call.kernels().dividing();
    }

    private DividingLayout layout() {
        return memory.layout();
    }

    /// Returns the array that `passes` passes have written; for 0 passes, the input.
    private DeviceElements array(int passes) {
        return passes == 0 ? call.input() : memory.target(passes - 1);
    }
}
