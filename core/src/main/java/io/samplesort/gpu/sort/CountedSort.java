package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.launch.RegionSpace;
import io.samplesort.gpu.launch.ValueKernels;
import io.samplesort.gpu.launch.Workspace;
import io.samplesort.gpu.launch.WorkspaceLayout;
import io.samplesort.types.Tuning;

/// Sorts keys of 8 and 16 bits without payloads: each value is counted, and written as often as it occurs. No key is
/// moved.
public final class CountedSort extends SortStrategy {
    /// Counting takes some time for each possible value. With fewer elements than this for each value, it takes longer
    /// than sorting.
    private static final long COUNTED_A_VALUE = 16;

    private final KernelElement element;
    private final Tuning tuning;
    /// How often each value occurs. These counts must be 0 before the sort.
    private final long totals;
    /// Where the keys of each value belong.
    private final long offsets;

    private final WorkspaceLayout memory;

    /// @param element of a kind that is counted
    public CountedSort(long count, KernelElement element, Tuning tuning) {
        super(count, 0, 1);
        this.element = element;
        this.tuning = tuning;
        RegionSpace space = new RegionSpace();
        totals = space.region(element.valueCount() * (long) Long.BYTES);
        space.zeroSoFar();
        offsets = space.region((element.valueCount() + 1L) * Long.BYTES);
        memory = space.layout();
    }

    /// Returns a sort of this many elements in this way; null if it cannot sort them or another way is faster.
    static CountedSort of(long count, KernelElement element, Tuning tuning) {
        boolean pays = element.isCounted()
                && !OneBlockSort.canSort(count, tuning)
                && count >= COUNTED_A_VALUE * element.valueCount();
        return pays ? new CountedSort(count, element, tuning) : null;
    }

    @Override
    public WorkspaceLayout memory() {
        return memory;
    }

    @Override
    public SortStrategy forFewer(long fewer) {
        return OneBlockSort.canSort(fewer, tuning) ? new OneBlockSort(fewer) : new CountedSort(fewer, element, tuning);
    }

    @Override
    public void enqueue(SortCall call) {
        // All keys of one value are equal, so no bucket of them needs sorting.
        call.host().tellBucket(0);
        try (Workspace workspace = call.allocate(memory)) {
            call.launch(
                    this,
                    workspace.address(0),
                    () -> launch(call, call.kernels().values(), workspace));
        }
    }

    /// Launches the phases.
    public void launch(SortCall call, ValueKernels kernels, Workspace workspace) {
        long totalsAt = workspace.address(totals);
        long offsetsAt = workspace.address(offsets);
        call.timer().phase("count_values");
        kernels.countValues(call.on(), call.input(), elementCount(), totalsAt);
        call.timer().phase("scan_values");
        kernels.scanValues(call.on(), elementCount(), totalsAt, offsetsAt);
        call.timer().phase("fill_values");
        kernels.fillValues(call.on(), call.output(), elementCount(), offsetsAt);
    }
}
