package io.samplesort.gpu;

import io.samplesort.gpu.select.DeviceSelection;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.types.SortReport;

/// Selects elements in device memory by their ranks, with the engine of a sorter by index. All methods wait for the
/// end.
public final class GpuSelector {
    private final GpuResources gpu;

    GpuSelector(GpuResources gpu) {
        this.gpu = gpu;
    }

    /// Writes the elements of the ranks `from..to`, and what belongs to them in other columns.
    ///
    /// @param columns     device addresses: the elements, and columns with as many other values
    /// @param columnBytes bytes of a value in each column
    /// @param targets     device addresses of room for `to - from` values of each column
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is written
    /// @throws io.samplesort.errors.SampleSortException               if the GPU fails
    public SortReport select(long[] columns, int[] columnBytes, long count, long from, long to, long[] targets) {
        return run(columns[0], columnBytes[0], count, from, to, keys -> {
            for (int c = 0; c < columns.length; c++) {
                sort().enqueueGather(gpu.stream(), keys, to - from, columns[c], targets[c], columnBytes[c], c == 0);
            }
        });
    }

    /// Writes the indexes of the elements of the ranks `from..to`.
    ///
    /// @param indexes    device address of room for them
    /// @param indexBytes bytes of an index, 4 or 8
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is written
    /// @throws io.samplesort.errors.SampleSortException               if the GPU fails
    public SortReport argselect(
            long elements, int elementBytes, long count, long from, long to, long indexes, int indexBytes) {
        return run(
                elements,
                elementBytes,
                count,
                from,
                to,
                keys -> sort().kernels()
                        .indexed()
                        .writePermutation(gpu.stream(), keys, indexes, to - from, indexBytes, 0));
    }

    private DeviceSort sort() {
        return gpu.sort();
    }

    /// What is done with the sort keys of the wanted ranks.
    private interface Output {
        void write(long keys);
    }

    private SortReport run(long elements, int elementBytes, long count, long from, long to, Output output) {
        long start = System.nanoTime();
        try (WaitedCall call = new WaitedCall(gpu);
                PhaseTimer timer = PhaseTimer.create(gpu.context(), gpu.stream(), gpu.timesPhases())) {
            long extraBytes = 0;
            if (to > from) {
                try (DeviceSelection selection = new DeviceSelection(
                        sort(), gpu.stream(), timer, gpu.hostWait().told(), elements, count, from, to, 0)) {
                    timer.phase("gather");
                    output.write(selection.keys());
                    timer.end();
                    extraBytes = selection.extraBytes();
                }
            }
            call.finish();
            return sort().report(count, 0, (count + to - from) * elementBytes, extraBytes, 0, timer, start);
        }
    }
}
