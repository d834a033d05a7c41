package io.samplesort.gpu.sort;

import static io.samplesort.gpu.code.KernelConstants.FILL_THREADS;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.cubins.KernelModules;

/// The kernel that writes keys of few possible values in order, whether or not they have payloads.
public final class FillKernel {
    private final KernelElement element;
    private final Kernel.Mode afterPhase;
    private final Kernel fillValues;
    private final int residentBlocks;

    FillKernel(KernelModules modules, KernelElement element, int multiprocessorCount, Kernel.Mode afterPhase) {
        this.element = element;
        this.afterPhase = afterPhase;
        fillValues = modules.kernel(SPLITTERS, "fill_values", 0);
        residentBlocks = Math.max(1, fillValues.activeBlocksPerMultiprocessor(FILL_THREADS, 0)) * multiprocessorCount;
    }

    /// Writes each value as often as it was counted.
    void fillValues(Workspace workspace, DeviceElements out) {
        long count = workspace.layout().plan.elementCount();
        fillValues
                .with(out.keys())
                .with(count)
                .with(workspace.address(workspace.layout().values.offsets()));
        long keysABlock = FILL_THREADS * (16L / element.keyBytes());
        int blocks = (int) Math.clamp((count + keysABlock - 1) / keysABlock, 1, (long) residentBlocks * Kernels.WAVES);
        fillValues.launch(workspace.stream(), blocks, FILL_THREADS, 0, afterPhase);
    }
}
