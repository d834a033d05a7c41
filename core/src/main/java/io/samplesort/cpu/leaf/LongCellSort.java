package io.samplesort.cpu.leaf;

import java.util.Arrays;

/// Sorts longs without SIMD instructions: it divides their range into equal cells, a quarter to half as many as there
/// are longs, counts the longs of each cell, and moves each long to its cell. Two rounds of bubble sort put most longs
/// that share a cell into order, and an insertion sort does the rest. This takes a fraction of the comparisons of a
/// quicksort, and has hardly any branch that a processor cannot predict.
///
/// Cells that are crowded, because the values are not spread evenly, are each sorted in the same way. Cells that are
/// still crowded after a few rounds are left to [Arrays#sort(long[])], so the worst case is that of Java's own sort.
final class LongCellSort {
    /// The most values that are sorted at a time: a megabyte of them.
    static final int LIMIT = (1 << 20) / Long.BYTES;

    /// With fewer values, the insertion sort of [Arrays] takes less time than counting.
    private static final int LEAST_COUNT = 40;

    /// The binary logarithm of the most cells. Their counters stay in the cache of a core.
    private static final int CELL_LOG_LIMIT = 17;

    /// The insertion sort takes cells of at most this many values.
    private static final int CROWD = 24;

    private static final int ROUNDS = 4;

    private int[] ends = {};
    private long[] moved = {};
    /// Start, end and round of the crowded cells that are still to be sorted.
    private int[] pending = {};

    private int pendingSize;

    /// Makes room for sorts of at most `count` values.
    void reserve(int count) {
        int size = Math.min(count, LIMIT);
        if (moved.length < size) {
            moved = new long[size];
            ends = new int[1 << cellLog(size)];
            pending = new int[3 * (size / CROWD + 1)];
        }
    }

    /// Returns how many bytes of heap sorts of at most `count` values take.
    static long heapBytes(int count) {
        return (long) Long.BYTES * count + (long) Integer.BYTES * ((1 << cellLog(count)) + 3 * (count / CROWD + 1));
    }

    long heapBytes() {
        return moved.length == 0 ? 0 : heapBytes(moved.length);
    }

    /// Returns the binary logarithm of the most cells for this many values. More cells take more time to count than
    /// they save in comparisons.
    private static int cellLog(int count) {
        return Math.min(31 - Integer.numberOfLeadingZeros(Math.max(count, 2) - 1), CELL_LOG_LIMIT);
    }

    /// Sorts `values[from..to)` in signed order.
    void sort(long[] values, int from, int to) {
        if (to - from > LIMIT) {
            Arrays.sort(values, from, to);
            return;
        }
        reserve(to - from);
        pendingSize = 0;
        sort(values, from, to, 1);
        while (pendingSize > 0) {
            pendingSize -= 3;
            sort(values, pending[pendingSize], pending[pendingSize + 1], pending[pendingSize + 2]);
        }
    }

    private void sort(long[] values, int from, int to, int round) {
        int count = to - from;
        if (count < LEAST_COUNT || round > ROUNDS) {
            Arrays.sort(values, from, to);
            return;
        }
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (int i = from; i < to; i++) {
            least = Math.min(least, values[i]);
            greatest = Math.max(greatest, values[i]);
        }
        if (least == greatest) {
            return;
        }
        // The span may be more than a signed long holds, so it is unsigned.
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(greatest - least) - cellLog(count));
        int cells = (int) (greatest - least >>> shift) + 1;
        boolean isCrowded = moveToCells(values, from, to, least, shift, cells);
        if (isCrowded) {
            sortAroundCrowds(values, from, cells, round);
        } else {
            insert(moved, 0, count, values, from);
        }
    }

    /// Moves the values to `moved`, cell by cell, and records where each cell ends.
    ///
    /// @return whether a cell is crowded
    private boolean moveToCells(long[] values, int from, int to, long least, int shift, int cells) {
        int[] next = ends;
        Arrays.fill(next, 0, cells, 0);
        for (int i = from; i < to; i++) {
            next[(int) (values[i] - least >>> shift)]++;
        }
        int sum = 0;
        int largest = 0;
        for (int cell = 0; cell < cells; cell++) {
            int size = next[cell];
            next[cell] = sum;
            sum += size;
            largest = Math.max(largest, size);
        }
        long[] target = moved;
        for (int i = from; i < to; i++) {
            long value = values[i];
            target[next[(int) (value - least >>> shift)]++] = value;
        }
        return largest > CROWD;
    }

    private void sortAroundCrowds(long[] values, int to, int cells, int round) {
        int done = 0;
        int start = 0;
        for (int cell = 0; cell < cells; cell++) {
            int end = ends[cell];
            if (end - start > CROWD) {
                insert(moved, done, start, values, to + done);
                System.arraycopy(moved, start, values, to + start, end - start);
                addPending(to + start, to + end, round + 1);
                done = end;
            }
            start = end;
        }
        insert(moved, done, start, values, to + done);
    }

    private void addPending(int from, int to, int round) {
        pending[pendingSize++] = from;
        pending[pendingSize++] = to;
        pending[pendingSize++] = round;
    }

    /// Writes `source[start..end)` to `values` from index `to` on, sorted. It takes few steps if values are close to
    /// their places.
    private static void insert(long[] source, int start, int end, long[] values, int to) {
        if (start == end) {
            return;
        }
        // Two rounds of bubble sort have no branch to predict, and put nearly all values into order.
        int last = to + end - start - 1;
        long greatest = source[start];
        for (int i = start + 1, at = to; i < end; i++, at++) {
            long value = source[i];
            values[at] = Math.min(greatest, value);
            greatest = Math.max(greatest, value);
        }
        values[last] = greatest;
        long least = greatest;
        for (int at = last - 1; at >= to; at--) {
            long value = values[at];
            values[at + 1] = Math.max(least, value);
            least = Math.min(least, value);
        }
        values[to] = least;
        for (int at = to + 1; at <= last; at++) {
            long value = values[at];
            if (values[at - 1] > value) {
                int free = at;
                do {
                    values[free] = values[free - 1];
                    free--;
                } while (free > to && values[free - 1] > value);
                values[free] = value;
            }
        }
    }
}
