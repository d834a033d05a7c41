package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.BYTE_VALUES;
import static io.samplesort.gpu.code.KernelConstants.COUNT_THREADS;
import static io.samplesort.gpu.code.KernelConstants.FILL_THREADS;
import static io.samplesort.gpu.code.KernelProgram.SCATTER;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.types.Tuning;

/// The kernels that sort keys of few possible values with payloads, by one byte of the keys in each pass
/// (byte_scatter.cuh), with one method for each.
public final class ByteKernels {
    /// Bytes that a thread copies at once.
    public static final int WORD_BYTES = 16;

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
    ///
    /// @param totals device address of a number for each byte, which is 0 before
    /// @param mark   device address of what is known of the input, as of all `mark`s here
    public void countBytes(Stream stream, DeviceElements in, long count, long totals, long mark) {
        countBytes.with(in.keys()).with(count).with(totals).with(mark);
        int resident = residentBlocks(countBytes, COUNT_THREADS, SharedMemory.byteCounts());
        int blocks = (int) Math.clamp(Math.ceilDiv(count, KEYS_A_BLOCK), 1, (long) resident);
        countBytes.launch(stream, blocks, COUNT_THREADS, SharedMemory.byteCounts(), Kernel.Mode.AFTER);
    }

    /// Counts the low bytes in each segment of the second pass.
    ///
    /// @param moved  what the first pass has left
    /// @param pass   the struct `Pass` of the second one, as all `pass`es here are structs
    /// @param slots  for its tiles
    /// @param totals device address of a number for each byte of each segment, which is 0 before
    public void countLowBytes(Stream stream, DeviceElements moved, long[] pass, long slots, long totals) {
        countLowBytes.with(moved.keys()).with(pass).with(totals);
        int threads = tuning.distributionThreads();
        int resident = residentBlocks(countLowBytes, threads, SharedMemory.byteCounts());
        int blocks = (int) Math.min(slots, resident);
        countLowBytes.launch(stream, blocks, threads, SharedMemory.byteCounts(), Kernel.Mode.AFTER);
    }

    /// Turns the counts of the bytes into where the buckets of a pass begin.
    ///
    /// @param offsets  device address of a number for each bucket, and one more
    /// @param segments that the pass divides
    public void placeBytes(Stream stream, long totals, long offsets, long[] pass, long segments) {
        placeBytes.with(totals).with(offsets).with(pass);
        int blocks = Math.toIntExact(segments);
        placeBytes.launch(stream, blocks, BYTE_VALUES, SharedMemory.placeBytes(), afterPhase);
    }

    /// Moves payloads by the high bytes of their keys, and the low bytes with them.
    public void scatterHighBytes(Stream stream, DeviceElements in, DeviceElements out, long[] pass, long slots) {
        scatter(scatterHighBytes, highSharedBytes, stream, in, out, pass, slots);
    }

    /// Moves payloads by the low bytes of their keys, in the last pass.
    public void scatterLowBytes(Stream stream, DeviceElements in, DeviceElements out, long[] pass, long slots) {
        scatter(scatterLowBytes, lowSharedBytes, stream, in, out, pass, slots);
    }

    private void scatter(
            Kernel kernel,
            int sharedBytes,
            Stream stream,
            DeviceElements in,
            DeviceElements out,
            long[] pass,
            long slots) {
        kernel.with(in.fields()).with(out.fields()).with(pass);
        int threads = tuning.distributionThreads();
        long waves = (long) residentBlocks(kernel, threads, sharedBytes) * Kernels.WAVES;
        int blocks = (int) Math.min(slots, waves);
        kernel.launch(stream, blocks, threads, sharedBytes, Kernel.Mode.AFTER);
    }

    /// Copies payloads to an array that begins at the same place within [#WORD_BYTES].
    public void copyPayloads(Stream stream, DeviceElements from, DeviceElements to, long count, long mark) {
        copyPayloads.with(from.payloads()).with(to.payloads()).with(count).with(mark);
        long bytesABlock = FILL_THREADS * COPIED_BYTES;
        long resident = residentBlocks(copyPayloads, FILL_THREADS, 0);
        int blocks = (int) Math.clamp(Math.ceilDiv(count * element.payloadBytes(), bytesABlock), 1, resident);
        copyPayloads.launch(stream, blocks, FILL_THREADS, 0, afterPhase);
    }

    /// Writes the keys in order, each value as often as it was counted.
    public void fillBytes(Stream stream, DeviceElements out, long count, long offsets, long mark) {
        fillBytes.with(out.keys()).with(count).with(offsets).with(mark);
        int sharedBytes = SharedMemory.fillBytes(element);
        long bytesABlock = FILL_THREADS * (long) WORD_BYTES;
        long resident = residentBlocks(fillBytes, FILL_THREADS, sharedBytes);
        int blocks = (int) Math.clamp(Math.ceilDiv(count * element.keyBytes(), bytesABlock), 1, resident);
        fillBytes.launch(stream, blocks, FILL_THREADS, sharedBytes, afterPhase);
    }
}
