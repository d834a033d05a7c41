package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;
import static io.samplesort.gpu.code.KernelProgram.SMALL_SORT;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.Regions;
import io.samplesort.gpu.plan.Workspace;
import io.samplesort.gpu.plan.WorkspaceLayout;
import io.samplesort.types.Tuning;

/// The kernels that look for order that is there already and make use of it, with one method for each: where an input
/// is in order or in the opposite order, and where it consists of a few sorted runs. None of them does anything with
/// other inputs.
public final class OrderKernels {
    /// Sampled elements for each section, of which the first in order is where it begins.
    private static final int SAMPLES_A_SECTION = 2;

    private final Tuning tuning;
    private final int mergeThreads;
    private final int mergeBytes;
    private final int sortBytes;
    private final int multiprocessorCount;
    private final Kernel.Mode afterPhase;
    private final boolean keepsOrder;
    private final Kernel findOrder;
    private final Kernel putInOrder;
    /// The kernels that merge runs; null where none are merged.
    private final Kernel findRuns;

    private final Kernel cutRuns;
    private final Kernel mergeRuns;
    private final Kernel sortRuns;

    /// @param mergesRuns whether inputs of a few sorted runs are merged
    /// @param keepsOrder whether equal elements keep their order
    OrderKernels(
            KernelModules modules,
            Tuning tuning,
            SharedMemory sharedMemory,
            boolean mergesRuns,
            boolean keepsOrder,
            int multiprocessorCount,
            Kernel.Mode afterPhase) {
        this.tuning = tuning;
        this.mergeThreads = sharedMemory.mergeRunsThreads();
        this.mergeBytes = sharedMemory.mergeRuns();
        this.sortBytes = sharedMemory.sortRuns();
        this.multiprocessorCount = multiprocessorCount;
        this.afterPhase = afterPhase;
        this.keepsOrder = keepsOrder;
        findOrder = modules.kernel(SPLITTERS, "find_order", 0);
        putInOrder = modules.kernel(SPLITTERS, "put_in_order", 0);
        findRuns = mergesRuns ? modules.kernel(SPLITTERS, "find_runs", 0) : null;
        cutRuns = mergesRuns ? modules.kernel(SMALL_SORT, "cut_runs", 0) : null;
        mergeRuns = mergesRuns ? modules.kernel(SMALL_SORT, "merge_runs", mergeBytes) : null;
        sortRuns = mergesRuns ? modules.kernel(SMALL_SORT, "sort_runs", sortBytes) : null;
    }

    /// Finds out whether the input may be in order already, or in the opposite order. The splitters of the first pass,
    /// if it has any, are chosen next, before [#putInOrder].
    ///
    /// @param hostOrder address of pinned memory for what the host is told; 0 where it is told nothing
    public void findOrder(Workspace workspace, DeviceElements input, DeviceElements output, long hostOrder) {
        findOrder
                .with(input.fields())
                .with(output.fields())
                .with(workspace.layout().plan.elementCount())
                .with(workspace.address(workspace.layout().orderSearch))
                .with(hostOrder);
        findOrder.launch(workspace.stream(), blocksThatLookFirst(workspace), ORDER_THREADS, 0, Kernel.Mode.AFTER);
    }

    /// Puts an input where it belongs if it is in the order that [#findOrder] has found it may be in. The phases behind
    /// see an input without elements then.
    public void putInOrder(Workspace workspace, DeviceElements input, DeviceElements output, long hostOrder) {
        putInOrder
                .with(input.fields())
                .with(output.fields())
                .with(workspace.layout().plan.elementCount())
                .with(workspace.address(workspace.layout().orderSearch))
                .with(mark(workspace))
                .with(hostOrder);
        putInOrder.launch(workspace.stream(), blocks(putInOrder, workspace), ORDER_THREADS, 0, afterPhase);
    }

    /// Finds out whether the input consists of a few sorted runs. If so, it is copied to the scratch memory, and the
    /// phases behind see an input without elements.
    public void findRuns(Workspace workspace, DeviceElements input, long hostOrder) {
        WorkspaceLayout layout = workspace.layout();
        findRuns.with(input.fields())
                .with(workspace.scratch().fields())
                .with(layout.plan.elementCount())
                .with(workspace.address(layout.runs.search()))
                .with(tuning.mergedRuns())
                .with(workspace.address(layout.orderSearch))
                .with(mark(workspace))
                .with(hostOrder);
        findRuns.launch(workspace.stream(), blocks(findRuns, workspace), ORDER_THREADS, 0, afterPhase);
    }

    /// Cuts the runs into sections.
    public void cutRuns(Workspace workspace) {
        Regions.Runs runs = workspace.layout().runs;
        cutRuns.with(workspace.scratch().fields())
                .with(workspace.layout().plan.elementCount())
                .with(workspace.address(runs.search()))
                .with(workspace.address(runs.cuts()))
                .with(runs.sections())
                .with(SAMPLES_A_SECTION)
                .with(workspace.address(workspace.layout().orderSearch));
        int samples = runs.sections() * SAMPLES_A_SECTION;
        int blocks = Math.ceilDiv(samples, ORDER_THREADS / WARP_SIZE);
        cutRuns.launch(workspace.stream(), blocks, ORDER_THREADS, 0, afterPhase);
    }

    /// Merges the runs to where the result goes, if they are few.
    public void mergeRuns(Workspace workspace, DeviceElements output) {
        merge(mergeRuns, mergeBytes, workspace, output);
    }

    /// Merges the runs to where the result goes, if they are more.
    public void sortRuns(Workspace workspace, DeviceElements output) {
        merge(sortRuns, sortBytes, workspace, output);
    }

    private void merge(Kernel kernel, int sharedBytes, Workspace workspace, DeviceElements output) {
        Regions.Runs runs = workspace.layout().runs;
        kernel.with(workspace.scratch().fields())
                .with(output.fields())
                .with(workspace.address(runs.search()))
                .with(workspace.address(runs.cuts()))
                .with(runs.sections())
                .with(workspace.address(workspace.layout().orderSearch));
        int blocks = kernel.activeBlocksPerMultiprocessor(mergeThreads, sharedBytes) * multiprocessorCount;
        kernel.launch(
                workspace.stream(), Math.clamp(blocks, 1, runs.sections()), mergeThreads, sharedBytes, afterPhase);
    }

    private static long mark(Workspace workspace) {
        return workspace.address(workspace.layout().segments[0].marks());
    }

    /// Returns how many blocks look first. They leave multiprocessors to those that choose splitters, which ask for
    /// much shared memory: a multiprocessor has to become empty before its memory is divided anew. But where equal
    /// elements keep their order, they may have to look at the whole input.
    private int blocksThatLookFirst(Workspace workspace) {
        int blocks = blocks(findOrder, workspace);
        return keepsOrder ? blocks : Math.clamp(multiprocessorCount / 2, 1, blocks);
    }

    private int blocks(Kernel kernel, Workspace workspace) {
        long most = Math.max(1, kernel.activeBlocksPerMultiprocessor(ORDER_THREADS, 0)) * (long) multiprocessorCount;
        long blocks = Math.ceilDiv(workspace.layout().plan.elementCount(), (long) ORDER_THREADS);
        return (int) Math.min(blocks, most);
    }
}
