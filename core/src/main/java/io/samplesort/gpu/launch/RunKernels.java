package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;
import static io.samplesort.gpu.code.KernelProgram.RUNS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;
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

    /// Where sorted runs are looked for and merged.
    ///
    /// @param scratch  an array as large as the input
    /// @param search   device address of what is known of the runs, a `RunSearch` that is 0 before
    /// @param cuts     device address of where each section begins in each run
    /// @param sections that are merged one by one
    public record Memory(DeviceElements scratch, long search, long cuts, int sections) {}

    /// Finds out whether the input consists of a few sorted runs. If so, it is copied to the scratch memory, and the
    /// phases behind see an input without elements.
    public void findRuns(SoughtOrder sought, Memory memory) {
        findRuns.with(sought.input().fields())
                .with(memory.scratch().fields())
                .with(sought.count())
                .with(memory.search())
                .with(tuning.mergedRuns())
                .with(sought.search())
                .with(sought.mark())
                .with(sought.told());
        int blocks = OrderKernels.blocks(findRuns, sought.count(), multiprocessorCount);
        findRuns.launch(sought.stream(), blocks, ORDER_THREADS, 0, afterPhase);
    }

    /// Cuts the runs into sections.
    public void cutRuns(SoughtOrder sought, Memory memory) {
        cutRuns.with(memory.scratch().fields())
                .with(sought.count())
                .with(memory.search())
                .with(memory.cuts())
                .with(memory.sections())
                .with(SAMPLES_A_SECTION)
                .with(sought.search());
        int samples = memory.sections() * SAMPLES_A_SECTION;
        int blocks = Math.ceilDiv(samples, ORDER_THREADS / WARP_SIZE);
        cutRuns.launch(sought.stream(), blocks, ORDER_THREADS, 0, afterPhase);
    }

    /// Merges the runs to where the result goes, if they are few.
    public void mergeRuns(SoughtOrder sought, Memory memory) {
        merge(mergeRuns, mergeBytes, sought, memory);
    }

    /// Merges the runs to where the result goes, if they are more.
    public void sortRuns(SoughtOrder sought, Memory memory) {
        merge(sortRuns, sortBytes, sought, memory);
    }

    private void merge(Kernel kernel, int sharedBytes, SoughtOrder sought, Memory memory) {
        kernel.with(memory.scratch().fields())
                .with(sought.output().fields())
                .with(memory.search())
                .with(memory.cuts())
                .with(memory.sections())
                .with(sought.search());
        int blocks = kernel.activeBlocksPerMultiprocessor(mergeThreads, sharedBytes) * multiprocessorCount;
        kernel.launch(sought.stream(), Math.clamp(blocks, 1, memory.sections()), mergeThreads, sharedBytes, afterPhase);
    }
}
