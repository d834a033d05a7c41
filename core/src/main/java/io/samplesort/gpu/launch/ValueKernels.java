package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.COUNT_THREADS;
import static io.samplesort.gpu.code.KernelConstants.FILL_THREADS;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;

/// The kernels that sort keys with few possible values by counting them (key_words.cuh), with one method for each.
public final class ValueKernels {
    /// Clearing the counters of a block and adding them up takes some microseconds, so each block counts at least this
    /// many keys.
    private static final long KEYS_A_BLOCK = 1 << 15;

    /// Looking for frequent values takes some microseconds, too.
    private static final long KEYS_TO_SEEK = 1 << 17;

    /// Half a word can count fewer keys than this.
    static final long SHARED_BELOW = 1L << 32;

    private final KernelElement element;
    private final long sharedBelow;
    private final KernelTable table;
    /// In how many parts the values are counted: several if a block has too little shared memory for all.
    private final int parts;

    private final KernelLaunch countValues;
    /// The kernel with room for frequent values; null if there is too little shared memory or no need.
    private final KernelLaunch seekValues;

    /// @param available   the bytes of shared memory that a block may have
    /// @param sharedBelow half a word can count fewer keys than this
    ValueKernels(KernelTable table, KernelElement element, SharedMemory sharedMemory, int available, long sharedBelow) {
        this.table = table;
        this.element = element;
        this.sharedBelow = sharedBelow;
        int allParts = 1;
        while (sharedMemory.countValues() / allParts > available) {
            allParts *= 2;
        }
        parts = allParts;
        int countBytes = sharedMemory.countValues() / parts;
        int seekBytes = countBytes + sharedMemory.frequentValues();
        boolean seeks = parts == 1 && seekBytes > countBytes && seekBytes <= available;
        table.add(SPLITTERS, "count_values", COUNT_THREADS, seeks ? seekBytes : countBytes);
        seekValues = seeks ? table.of("count_values") : null;
        countValues = table.of("count_values").ofShared(countBytes);
        table.addBeside(SPLITTERS, "scan_values", element.valueScanThreads(), SharedMemory.WARP_SUMS);
        table.addBeside(SPLITTERS, "fill_values", FILL_THREADS, 0);
    }

    /// Counts how often each value occurs.
    ///
    /// @param totals device address of a number for each value, all 0 before
    public void countValues(Stream stream, DeviceElements in, long count, long totals) {
        boolean seeks = seekValues != null && count >= KEYS_TO_SEEK;
        long most = Math.max(1, countValues.residentBlocks() / parts);
        long blocks = Math.clamp(Math.ceilDiv(count, KEYS_A_BLOCK), 1, most) * parts;
        (seeks ? seekValues : countValues)
                .values(in.keys(), count, totals)
                .flag(sharesTotals(count))
                .values(parts)
                .flag(seeks)
                .launch(stream, blocks);
    }

    /// Returns whether the totals of two values share a word (`ValueTotals` in key_words.cuh).
    private boolean sharesTotals(long count) {
        return element.keyBytes() == Short.BYTES && count < sharedBelow;
    }

    /// Turns the counts into the offsets at which the keys of each value belong.
    ///
    /// @param offsets device address of a number for each value, and one more
    public void scanValues(Stream stream, long count, long totals, long offsets) {
        table.of("scan_values")
                .values(totals)
                .flag(sharesTotals(count))
                .values(offsets)
                .launch(stream, element.valueCount() / element.valueScanThreads());
    }

    /// Writes the keys in order.
    public void fillValues(Stream stream, DeviceElements out, long count, long offsets) {
        long keysABlock = FILL_THREADS * (16L / element.keyBytes());
        table.of("fill_values")
                .values(out.keys(), count, offsets)
                .launchInWaves(stream, Math.ceilDiv(count, keysABlock));
    }
}
