package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;
import static io.samplesort.gpu.code.KernelProgram.RUNS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.Regions;
import io.samplesort.gpu.plan.Workspace;
import io.samplesort.gpu.plan.WorkspaceLayout;
import io.samplesort.types.Tuning;

/// The kernels that find the sorted runs of an input and merge them if they are few, with one method for each. They
/// change nothing of other inputs.
public final class RunKernels {
    /// Sampled elements for each section, of which the first in order is where it begins.
    private static final int SAMPLES_A_SECTION = 2;

    private final Tuning tuning;
    private final int mergeThreads;
    private final int mergeBytes;
    private final int sortBytes;
    private final int multiprocessorCount;
    private final Kernel.Mode afterPhase;
    private final Kernel findRuns;
    private final Kernel cutRuns;
    private final Kernel mergeRuns;
    private final Kernel sortRuns;

    RunKernels(
            KernelModules modules,
            Tuning tuning,
            SharedMemory sharedMemory,
            int multiprocessorCount,
            Kernel.Mode afterPhase) {
        this.tuning = tuning;
        this.mergeThreads = sharedMemory.mergeRunsThreads();
        this.mergeBytes = sharedMemory.mergeRuns();
        this.sortBytes = sharedMemory.sortRuns();
        this.multiprocessorCount = multiprocessorCount;
        this.afterPhase = afterPhase;
        findRuns = modules.kernel(RUNS, "find_runs", 0);
        cutRuns = modules.kernel(RUNS, "cut_runs", 0);
        mergeRuns = modules.kernel(RUNS, "merge_runs", mergeBytes);
        sortRuns = modules.kernel(RUNS, "sort_runs", sortBytes);
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
                .with(workspace.inputMark())
                .with(hostOrder);
        findRuns.launch(
                workspace.stream(),
                OrderKernels.blocks(findRuns, workspace, multiprocessorCount),
                ORDER_THREADS,
                0,
                afterPhase);
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
}
