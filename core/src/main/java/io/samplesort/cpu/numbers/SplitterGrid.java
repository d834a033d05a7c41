package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// Splitters that lie on a grid: the range of the sample is divided into equal cells, and a table has the bucket of
/// each cell. One look-up finds the bucket of a key, while a tree takes as many steps as it has levels.
///
/// Only inputs whose keys spread over many cells can be divided in this way. The sample shows that: if a cell has so
/// many of its keys that a bucket would become too large, [#build] refuses, and a [SplitterTree] divides the input.
public final class SplitterGrid {
    private static final int CELL_LOG = 12;
    private static final int CELLS = 1 << CELL_LOG;

    private final short[] bucketOfCell = new short[CELLS];
    private final int[] counts = new int[CELLS];
    private long low;
    private long high;
    private int shift;

    /// Divides the range of a sample among buckets.
    ///
    /// @param sample      sorted
    /// @param count       how many keys it has, at least 1
    /// @param bucketCount how many buckets are wanted, at most 2^15
    /// @return whether the keys spread well enough
    public boolean build(long[] sample, int count, int bucketCount) {
        low = sample[0];
        high = sample[count - 1];
        long range = high - low;
        // The range is unsigned: it may be up to 2^64 - 1.
        shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(range) - CELL_LOG);
        Arrays.fill(counts, 0);
        int most = 0;
        for (int i = 0; i < count; i++) {
            most = Math.max(most, ++counts[(int) (sample[i] - low >>> shift)]);
        }
        if ((long) most * bucketCount > count) {
            return false;
        }
        long before = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            bucketOfCell[cell] = (short) Math.min(before * bucketCount / count, bucketCount - 1);
            before += counts[cell];
        }
        return true;
    }

    /// Returns the bucket of a key. Smaller keys than those of the sample belong to the first cell, and greater ones to
    /// the cell of the greatest.
    int bucketOf(long key) {
        return bucketOfCell[(int) (Math.min(Math.max(key, low), high) - low >>> shift)];
    }
}
