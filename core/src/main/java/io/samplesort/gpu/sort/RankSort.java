package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.launch.RegionSpace;
import io.samplesort.gpu.launch.Workspace;
import io.samplesort.gpu.launch.WorkspaceLayout;
import io.samplesort.types.Tuning;

/// Sorts a small input by making sorted runs of it, one block for each, and placing their elements by ranks.
public final class RankSort extends SortStrategy {
    /// Runs are as short as possible without exceeding this number, since each element searches all runs.
    private static final int MOST_RUNS = 16;

    private final KernelElement element;
    private final Tuning tuning;
    /// Room for the runs.
    private final long keys;

    private final long payloads;
    private final WorkspaceLayout memory;

    /// @param element an element of a kind whose runs are ranked
    private RankSort(long count, KernelElement element, Tuning tuning) {
        super(count, 0, 2);
        this.element = element;
        this.tuning = tuning;
        RegionSpace space = new RegionSpace();
        boolean holdsPairs = element.movesPairs();
        keys = space.region(Math.multiplyExact(count, holdsPairs ? element.elementBytes() : element.keyBytes()));
        payloads = space.region(Math.multiplyExact(count, holdsPairs ? 0 : element.payloadBytes()));
        memory = space.layout();
    }

    /// Returns a sort of this many elements in this way; null if it cannot sort them or another way is faster.
    static RankSort of(long count, KernelElement element, Tuning tuning) {
        boolean pays =
                element.ranksRuns(tuning) && count >= element.fewestRanked(tuning) && count <= tuning.rankedSize();
        return pays ? new RankSort(count, element, tuning) : null;
    }

    @Override
    public WorkspaceLayout memory() {
        return memory;
    }

    @Override
    public SortStrategy forFewer(long fewer) {
        return fewer < element.fewestRanked(tuning) && OneBlockSort.canSort(fewer, tuning)
                ? new OneBlockSort(fewer)
                : new RankSort(fewer, element, tuning);
    }

    @Override
    public void enqueue(SortCall call) {
        call.host().tellBucket(elementCount());
        try (Workspace workspace = call.allocate(memory)) {
            long payloadsAt = element.movesPairs() ? 0 : workspace.address(payloads);
            DeviceElements runs = new DeviceElements(workspace.address(keys), payloadsAt);
            call.launch(this, workspace.address(0), () -> rankRuns(call, runs));
        }
    }

    private void rankRuns(SortCall call, DeviceElements runs) {
        long runLength = (long) KernelConstants.WARP_SIZE * tuning.smallSortItems();
        while (runLength * MOST_RUNS < elementCount() && 2 * runLength <= tuning.smallSortLimit()) {
            runLength *= 2;
        }
        KernelLaunch rankRuns = call.phase("rank_runs");
        call.kernels().dividing().sortParts(call.on(), call.input(), runs, elementCount(), runLength);
        rankRuns.with(runs.fields(), call.output().fields())
                .values(elementCount(), runLength)
                .launch(call.on(), Math.ceilDiv(elementCount(), (long) KernelConstants.WARP_SIZE));
    }
}
