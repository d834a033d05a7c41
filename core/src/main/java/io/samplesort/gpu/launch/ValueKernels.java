package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.COUNT_THREADS;
import static io.samplesort.gpu.code.KernelConstants.FILL_THREADS;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;

/// The kernels that sort keys of few possible values by counting them (key_words.cuh), with one method for each.
public final class ValueKernels {
    /// A block takes some microseconds to clear its counters and to add them up, so it has to count some keys.
    private static final long KEYS_A_BLOCK = 1 << 15;

    /// To look for frequent values takes some microseconds, too.
    private static final long KEYS_TO_SEEK = 1 << 17;

    /// The keys that half a word cannot count any more.
    static final long SHARED_BELOW = 1L << 32;

    private final KernelElement element;
    private final long sharedBelow;
    private final Kernel countValues;
    private final Kernel scanValues;
    private final Kernel fillValues;
    private final Kernel.Mode afterPhase;
    /// In how many parts the values are counted: more than one where a block has too little shared memory for all.
    private final int parts;

    private final int countBytes;
    /// Shared memory with room for frequent values; 0 where there is not enough, or no need.
    private final int seekBytes;

    private final int countBlocks;
    private final int fillBlocks;

    /// @param available   the bytes of shared memory that a block may have
    /// @param sharedBelow the keys that half a word cannot count any more
    ValueKernels(
            KernelModules modules,
            KernelElement element,
            SharedMemory sharedMemory,
            int available,
            long sharedBelow,
            int multiprocessorCount,
            Kernel.Mode afterPhase) {
        this.element = element;
        this.sharedBelow = sharedBelow;
        this.afterPhase = afterPhase;
        int allParts = 1;
        while (sharedMemory.countValues() / allParts > available) {
            allParts *= 2;
        }
        parts = allParts;
        countBytes = sharedMemory.countValues() / parts;
        int withFrequent = countBytes + sharedMemory.frequentValues();
        seekBytes = parts == 1 && withFrequent > countBytes && withFrequent <= available ? withFrequent : 0;
        countValues = modules.kernel(SPLITTERS, "count_values", Math.max(countBytes, seekBytes));
        scanValues = modules.kernel(SPLITTERS, "scan_values", SharedMemory.scanValues());
        fillValues = modules.kernel(SPLITTERS, "fill_values", 0);
        countBlocks = residentBlocks(countValues, COUNT_THREADS, countBytes) * multiprocessorCount;
        fillBlocks = residentBlocks(fillValues, FILL_THREADS, 0) * multiprocessorCount;
    }

    private static int residentBlocks(Kernel kernel, int threads, int sharedBytes) {
        return Math.max(1, kernel.activeBlocksPerMultiprocessor(threads, sharedBytes));
    }

    /// Counts how often each value occurs.
    ///
    /// @param totals device address of a number for each value, which is 0 before
    public void countValues(Stream stream, DeviceElements in, long count, long totals) {
        boolean seeks = seekBytes > 0 && count >= KEYS_TO_SEEK;
        countValues
                .with(in.keys())
                .with(count)
                .with(totals)
                .with(sharesTotals(count) ? 1 : 0)
                .with(parts)
                .with(seeks ? 1 : 0);
        long wanted = (count + KEYS_A_BLOCK - 1) / KEYS_A_BLOCK;
        int blocks = Math.clamp(wanted, 1, Math.max(1, countBlocks / parts)) * parts;
        countValues.launch(stream, blocks, COUNT_THREADS, seeks ? seekBytes : countBytes, Kernel.Mode.AFTER);
    }

    /// Returns whether the totals of two values share a word (`ValueTotals` in key_words.cuh).
    private boolean sharesTotals(long count) {
        return element.keyBytes() == Short.BYTES && count < sharedBelow;
    }

    /// Turns the counts into where the keys of each value belong.
    ///
    /// @param offsets device address of a number for each value, and one more
    public void scanValues(Stream stream, long count, long totals, long offsets) {
        scanValues.with(totals).with(sharesTotals(count) ? 1 : 0).with(offsets);
        int threads = element.valueScanThreads();
        int blocks = element.valueCount() / threads;
        scanValues.launch(stream, blocks, threads, SharedMemory.scanValues(), afterPhase);
    }

    /// Writes the keys in order.
    public void fillValues(Stream stream, DeviceElements out, long count, long offsets) {
        fillValues.with(out.keys()).with(count).with(offsets);
        long keysABlock = FILL_THREADS * (16L / element.keyBytes());
        int blocks = (int) Math.clamp((count + keysABlock - 1) / keysABlock, 1, (long) fillBlocks * Kernels.WAVES);
        fillValues.launch(stream, blocks, FILL_THREADS, 0, afterPhase);
    }
}
