package io.samplesort.gpu.sort;

import static io.samplesort.gpu.code.KernelConstants.FILL_THREADS;
import static io.samplesort.gpu.code.KernelProgram.SCATTER;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.types.Tuning;

/// The kernels that move the payloads of keys of few possible values by the bytes of the keys (byte_scatter.cuh), with
/// one method for each. [ValueKernels] has counted the values before, and writes the keys.
public final class ByteKernels {
    /// Bytes that a thread of `copy_payloads` has on their way at once.
    private static final long COPIED_BYTES = 64;

    private final KernelElement element;
    private final Tuning tuning;
    private final ValueKernels values;
    private final Kernel.Mode afterPhase;
    private final Kernel placeValues;
    /// Null where keys have one byte.
    private final Kernel scatterHighBytes;

    private final Kernel scatterLowBytes;
    private final Kernel copyPayloads;
    private final int highBytes;
    private final int lowBytes;
    private final int highBlocks;
    private final int lowBlocks;
    private final int copyBlocks;

    /// @param values counts the values
    ByteKernels(
            KernelModules modules,
            KernelElement element,
            Tuning tuning,
            SharedMemory sharedMemory,
            ValueKernels values,
            int multiprocessorCount,
            Kernel.Mode afterPhase) {
        this.element = element;
        this.tuning = tuning;
        this.values = values;
        this.afterPhase = afterPhase;
        highBytes = sharedMemory.byteScatter(true);
        lowBytes = sharedMemory.byteScatter(false);
        placeValues = modules.kernel(SPLITTERS, "place_values", SharedMemory.scanValues());
        scatterHighBytes = element.keyBytes() > 1 ? modules.kernel(SCATTER, "scatter_high_bytes", highBytes) : null;
        scatterLowBytes = modules.kernel(SCATTER, "scatter_low_bytes", lowBytes);
        copyPayloads = modules.kernel(SPLITTERS, "copy_payloads", 0);
        int threads = tuning.distributionThreads();
        highBlocks = scatterHighBytes == null
                ? 0
                : ValueKernels.residentBlocks(scatterHighBytes, threads, highBytes) * multiprocessorCount;
        lowBlocks = ValueKernels.residentBlocks(scatterLowBytes, threads, lowBytes) * multiprocessorCount;
        copyBlocks = ValueKernels.residentBlocks(copyPayloads, FILL_THREADS, 0) * multiprocessorCount;
    }

    /// Turns the counts of the values into where the elements of each begin, for the passes and for the keys that are
    /// written in the end.
    void placeValues(Workspace workspace) {
        SortPlan plan = workspace.layout().plan;
        placeValues
                .with(workspace.address(workspace.layout().values.totals()))
                .with(values.sharesTotals(plan.elementCount()) ? 1 : 0)
                .with(workspace.address(workspace.layout().values.offsets()))
                .with(workspace.placingPass(0))
                .with(workspace.placingPass(plan.passCount() - 1));
        int threads = element.valueScanThreads();
        int blocks = element.valueCount() / threads;
        placeValues.launch(workspace.stream(), blocks, threads, SharedMemory.scanValues(), afterPhase);
    }

    /// Moves payloads by the high bytes of their keys, and the low bytes with them.
    void scatterHighBytes(Workspace workspace, DeviceElements in, DeviceElements out) {
        scatter(scatterHighBytes, highBlocks, highBytes, workspace, 0, in, out);
    }

    /// Moves payloads by the low bytes of their keys, in the last pass.
    void scatterLowBytes(Workspace workspace, DeviceElements in, DeviceElements out) {
        scatter(
                scatterLowBytes,
                lowBlocks,
                lowBytes,
                workspace,
                workspace.layout().plan.passCount() - 1,
                in,
                out);
    }

    private void scatter(
            Kernel kernel,
            int resident,
            int sharedBytes,
            Workspace workspace,
            int pass,
            DeviceElements in,
            DeviceElements out) {
        kernel.with(in.fields()).with(out.fields()).with(workspace.placingPass(pass));
        long slots = workspace.layout().plan.tileSlots(pass, tuning);
        int blocks = (int) Math.min(slots, (long) resident * Kernels.WAVES);
        kernel.launch(workspace.stream(), blocks, tuning.distributionThreads(), sharedBytes, Kernel.Mode.AFTER);
    }

    /// Copies payloads to an array that begins at the same place within [WorkspaceLayout#WORD_BYTES].
    void copyPayloads(Workspace workspace, DeviceElements from, DeviceElements to) {
        long count = workspace.layout().plan.elementCount();
        copyPayloads.with(from.payloads()).with(to.payloads()).with(count);
        long bytesABlock = FILL_THREADS * COPIED_BYTES;
        int blocks = (int) Math.clamp(Math.ceilDiv(count * element.payloadBytes(), bytesABlock), 1, (long) copyBlocks);
        copyPayloads.launch(workspace.stream(), blocks, FILL_THREADS, 0, afterPhase);
    }
}
