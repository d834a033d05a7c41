package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.BYTE_VALUES;
import static io.samplesort.gpu.code.KernelConstants.COUNT_THREADS;
import static io.samplesort.gpu.code.KernelConstants.FILL_THREADS;
import static io.samplesort.gpu.code.KernelProgram.SCATTER;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.Workspace;
import io.samplesort.gpu.plan.WorkspaceLayout;
import io.samplesort.types.Tuning;

/// The kernels that sort keys of few possible values with payloads, by one byte of the keys in each pass
/// (byte_scatter.cuh), with one method for each.
public final class ByteKernels {
    /// A block takes some microseconds to clear its counters and to add them up, so it has to count some keys.
    private static final long KEYS_A_BLOCK = 1 << 13;

    /// Bytes that a thread of `copy_payloads` has on their way at once.
    private static final long COPIED_BYTES = 64;

    private final KernelElement element;
    private final Tuning tuning;
    private final int multiprocessorCount;
    private final Kernel.Mode afterPhase;
    private final Kernel countBytes;
    private final Kernel placeBytes;
    private final Kernel scatterLowBytes;
    private final Kernel copyPayloads;
    /// The kernels that keys of one byte do without.
    private final Kernel countLowBytes;

    private final Kernel scatterHighBytes;
    private final int highSharedBytes;
    private final int lowSharedBytes;
    private final Kernel fillBytes;

    ByteKernels(
            KernelModules modules,
            KernelElement element,
            Tuning tuning,
            SharedMemory sharedMemory,
            int multiprocessorCount,
            Kernel.Mode afterPhase) {
        this.element = element;
        this.tuning = tuning;
        this.multiprocessorCount = multiprocessorCount;
        this.afterPhase = afterPhase;
        boolean hasTwoBytes = element.keyBytes() > 1;
        highSharedBytes = sharedMemory.byteScatter(true);
        lowSharedBytes = sharedMemory.byteScatter(false);
        countBytes = modules.kernel(SPLITTERS, "count_bytes", SharedMemory.byteCounts());
        placeBytes = modules.kernel(SPLITTERS, "place_bytes", SharedMemory.placeBytes());
        scatterLowBytes = modules.kernel(SCATTER, "scatter_low_bytes", lowSharedBytes);
        copyPayloads = modules.kernel(SPLITTERS, "copy_payloads", 0);
        countLowBytes = hasTwoBytes ? modules.kernel(SPLITTERS, "count_low_bytes", SharedMemory.byteCounts()) : null;
        scatterHighBytes = hasTwoBytes ? modules.kernel(SCATTER, "scatter_high_bytes", highSharedBytes) : null;
        fillBytes = modules.kernel(SPLITTERS, "fill_bytes", SharedMemory.fillBytes(element));
    }

    private int residentBlocks(Kernel kernel, int threads, int sharedBytes) {
        return Math.max(1, kernel.activeBlocksPerMultiprocessor(threads, sharedBytes)) * multiprocessorCount;
    }

    /// Counts the bytes that the first pass divides by.
    public void countBytes(Workspace workspace, DeviceElements in) {
        long count = workspace.layout().plan.elementCount();
        countBytes
                .with(in.keys())
                .with(count)
                .with(workspace.address(workspace.layout().places.totals()[0]))
                .with(workspace.inputMark());
        int resident = residentBlocks(countBytes, COUNT_THREADS, SharedMemory.byteCounts());
        int blocks = (int) Math.clamp(Math.ceilDiv(count, KEYS_A_BLOCK), 1, (long) resident);
        countBytes.launch(workspace.stream(), blocks, COUNT_THREADS, SharedMemory.byteCounts(), Kernel.Mode.AFTER);
    }

    /// Counts the low bytes in each segment of the second pass.
    ///
    /// @param moved what the first pass has left
    public void countLowBytes(Workspace workspace, DeviceElements moved) {
        countLowBytes
                .with(moved.keys())
                .with(workspace.placingPass(1))
                .with(workspace.address(workspace.layout().places.totals()[1]));
        int threads = tuning.distributionThreads();
        int resident = residentBlocks(countLowBytes, threads, SharedMemory.byteCounts());
        int blocks = (int) Math.min(workspace.layout().plan.tileSlots(1, tuning), resident);
        countLowBytes.launch(workspace.stream(), blocks, threads, SharedMemory.byteCounts(), Kernel.Mode.AFTER);
    }

    /// Turns the counts of the bytes into where the buckets of a pass begin.
    public void placeBytes(Workspace workspace, int pass) {
        WorkspaceLayout layout = workspace.layout();
        boolean isLast = pass == layout.plan.passCount() - 1;
        long offsets = isLast ? layout.values.offsets() : layout.places.segments()[pass + 1];
        placeBytes
                .with(workspace.address(layout.places.totals()[pass]))
                .with(workspace.address(offsets))
                .with(workspace.placingPass(pass));
        int blocks = Math.toIntExact(layout.plan.segmentCount(pass));
        placeBytes.launch(workspace.stream(), blocks, BYTE_VALUES, SharedMemory.placeBytes(), afterPhase);
    }

    /// Moves payloads by the high bytes of their keys, and the low bytes with them.
    public void scatterHighBytes(Workspace workspace, DeviceElements in, DeviceElements out) {
        scatter(scatterHighBytes, highSharedBytes, workspace, 0, in, out);
    }

    /// Moves payloads by the low bytes of their keys, in the last pass.
    public void scatterLowBytes(Workspace workspace, DeviceElements in, DeviceElements out) {
        scatter(
                scatterLowBytes,
                lowSharedBytes,
                workspace,
                workspace.layout().plan.passCount() - 1,
                in,
                out);
    }

    private void scatter(
            Kernel kernel, int sharedBytes, Workspace workspace, int pass, DeviceElements in, DeviceElements out) {
        kernel.with(in.fields()).with(out.fields()).with(workspace.placingPass(pass));
        int threads = tuning.distributionThreads();
        long waves = (long) residentBlocks(kernel, threads, sharedBytes) * Kernels.WAVES;
        int blocks = (int) Math.min(workspace.layout().plan.tileSlots(pass, tuning), waves);
        kernel.launch(workspace.stream(), blocks, threads, sharedBytes, Kernel.Mode.AFTER);
    }

    /// Copies payloads to an array that begins at the same place within [WorkspaceLayout#WORD_BYTES].
    public void copyPayloads(Workspace workspace, DeviceElements from, DeviceElements to) {
        long count = workspace.layout().plan.elementCount();
        copyPayloads.with(from.payloads()).with(to.payloads()).with(count).with(workspace.inputMark());
        long bytesABlock = FILL_THREADS * COPIED_BYTES;
        long resident = residentBlocks(copyPayloads, FILL_THREADS, 0);
        int blocks = (int) Math.clamp(Math.ceilDiv(count * element.payloadBytes(), bytesABlock), 1, resident);
        copyPayloads.launch(workspace.stream(), blocks, FILL_THREADS, 0, afterPhase);
    }

    /// Writes the keys in order, each value as often as it was counted.
    public void fillBytes(Workspace workspace, DeviceElements out) {
        long count = workspace.layout().plan.elementCount();
        fillBytes
                .with(out.keys())
                .with(count)
                .with(workspace.address(workspace.layout().values.offsets()))
                .with(workspace.inputMark());
        int sharedBytes = SharedMemory.fillBytes(element);
        long bytesABlock = FILL_THREADS * (long) WorkspaceLayout.WORD_BYTES;
        long resident = residentBlocks(fillBytes, FILL_THREADS, sharedBytes);
        int blocks = (int) Math.clamp(Math.ceilDiv(count * element.keyBytes(), bytesABlock), 1, resident);
        fillBytes.launch(workspace.stream(), blocks, FILL_THREADS, sharedBytes, afterPhase);
    }
}
