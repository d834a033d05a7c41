package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.DividingMemory;
import io.samplesort.gpu.launch.Rooms;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.gpu.launch.WorkspaceLayout;
import io.samplesort.types.Tuning;

/// Sorts by dividing the input into buckets, pass after pass, until a block can sort each. This is the way of the paper
/// ([Phases]).
public final class DividingSort extends SortStrategy {
    private final KernelElement element;
    private final Tuning tuning;
    private final int groups;
    private final DividingLayout layout;

    /// @param plan   a plan of at least one pass
    /// @param groups as [Rooms] takes it
    public DividingSort(SortPlan plan, KernelElement element, Tuning tuning, int groups) {
        // The small sort reads and writes the elements as each pass does.
        super(plan.elementCount(), plan.passCount(), plan.passCount() + 1);
        this.element = element;
        this.tuning = tuning;
        this.groups = groups;
        layout = new DividingLayout(plan, element, tuning, groups);
    }

    /// Returns the sort with the fewest groups that takes no more than this much memory, or else the one that takes
    /// least.
    static DividingSort of(long count, KernelElement element, Tuning tuning, long bytes) {
        SortPlan plan = SortPlan.of(count, tuning);
        int most = Rooms.mostGroups(plan);
        DividingSort least = null;
        for (int groups = 0; groups <= most; groups++) {
            DividingSort sort = new DividingSort(plan, element, tuning, groups);
            if (least == null || sort.byteSize() < least.byteSize()) {
                least = sort;
            }
            if (sort.byteSize() <= bytes || groups > 0 && sort.layout.rooms.headSize == 0) {
                break;
            }
        }
        return least;
    }

    @Override
    public WorkspaceLayout memory() {
        return layout.memory;
    }

    @Override
    public SortStrategy forFewer(long count) {
        return OneBlockSort.canSort(count, tuning)
                ? new OneBlockSort(count)
                : new DividingSort(new SortPlan(count, layout.plan.logBucketCounts()), element, tuning, groups);
    }

    @Override
    public void enqueue(SortCall call) {
        if (layout.runs != null) {
            // Compiles or loads the kernels now, so that this fails before anything is launched.
            call.kernels().of("find_runs");
        }
        try (DividingMemory memory = new DividingMemory(call.allocate(layout.memory), layout, call.output())) {
            OrderPhases order = null;
            if (layout.seeksOrder) {
                long search = memory.address(layout.head.orderSearch());
                order = new OrderPhases(call, elementCount(), search, memory.inputMark(), runs(memory));
                call.host().forgetOrder();
            }
            call.launch(this, memory.address(0), new Phases(call, memory, order));
        }
    }

    /// Returns the memory of the search for sorted runs; null without one.
    private OrderPhases.RunMemory runs(DividingMemory memory) {
        return layout.runs == null
                ? null
                : new OrderPhases.RunMemory(
                        memory.scratch(),
                        memory.address(layout.head.runSearch()),
                        memory.address(layout.runs.cuts()),
                        layout.runs.sections(),
                        tuning.mergedRuns());
    }
}
