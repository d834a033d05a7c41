package io.samplesort.cpu.numbers;

import io.samplesort.keys.OrderedBits;

/// Sorted runs of longs: finds out whether a range is one, and merges two.
final class LongRuns {
    private LongRuns() {}

    /// Returns whether `keys[from..to)` are in ascending order.
    ///
    /// @param ignored the low bits that do not belong to the key
    static boolean isAscending(long[] keys, int from, int to, long ignored) {
        for (int i = from + 1; i < to; i++) {
            if ((keys[i - 1] | ignored) > (keys[i] | ignored)) { // int: if (keys[i - 1] > keys[i]) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether `keys[from..to)` are in descending order.
    ///
    /// @param ignored the low bits that do not belong to the key
    static boolean isDescending(long[] keys, int from, int to, long ignored) {
        for (int i = from + 1; i < to; i++) {
            if ((keys[i - 1] | ignored) < (keys[i] | ignored)) { // int: if (keys[i - 1] < keys[i]) {
                return false;
            }
        }
        return true;
    }

    /// Returns where the run ends that begins at `from`: no value is less than the one before it, or each is. In the
    /// latter case the run is reversed.
    static int orderedRun(long[] values, int from, int to) {
        int end = from + 1;
        if (end < to && values[end] < values[from]) {
            while (end < to && values[end] < values[end - 1]) {
                end++;
            }
            for (int i = from, j = end - 1; i < j; i++, j--) {
                long value = values[i];
                values[i] = values[j];
                values[j] = value;
            }
        } else {
            while (end < to && values[end - 1] <= values[end]) {
                end++;
            }
        }
        return Math.min(end, to);
    }

    // only longs
    /// Returns whether doubles are in the order of the longs that [OrderedBits] makes of them. These longs have to be
    /// compared only if the first of two neighbours is not less as a number, as with equal keys and NaNs.
    static boolean isAscending(double[] keys, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (!(keys[i - 1] < keys[i]) && place(keys[i - 1]) > place(keys[i])) {
                return false;
            }
        }
        return true;
    }

    /// Returns the long that stands for a key in ascending order.
    static long place(double key) {
        return OrderedBits.ofDouble(Double.doubleToRawLongBits(key));
    }

    // ints too
    /// Merges `values[from..middle)` and `values[middle..to)` to `target[from..to)`, from both ends at once. The two
    /// ends do not wait for each other, and no step has a branch that a processor could mispredict. This takes half the
    /// time of a merge from one end.
    static void merge(long[] values, int from, int middle, int to, long[] target) {
        if (values[to - 1] < values[from]) {
            System.arraycopy(values, middle, target, from, to - middle);
            System.arraycopy(values, from, target, from + to - middle, middle - from);
            return;
        }
        int i = from;
        int j = middle;
        int lastI = middle - 1;
        int lastJ = to - 1;
        int next = from;
        int last = to - 1;
        // Neither run can come to its end in this many steps.
        for (int steps = steps(i, lastI, j, lastJ); steps > 0; steps = steps(i, lastI, j, lastJ)) {
            for (int step = 0; step < steps; step++) {
                long first = values[i];
                long second = values[j];
                int takesSecond = second < first ? 1 : 0;
                target[next++] = Math.min(first, second);
                i += 1 - takesSecond;
                j += takesSecond;
                long endOfFirst = values[lastI];
                long endOfSecond = values[lastJ];
                int takesFirst = endOfFirst > endOfSecond ? 1 : 0;
                target[last--] = Math.max(endOfFirst, endOfSecond);
                lastI -= takesFirst;
                lastJ -= 1 - takesFirst;
            }
        }
        while (i <= lastI && j <= lastJ) {
            target[next++] = values[j] < values[i] ? values[j++] : values[i++];
        }
        System.arraycopy(values, i, target, next, lastI - i + 1);
        System.arraycopy(values, j, target, next + lastI - i + 1, lastJ - j + 1);
    }

    private static int steps(int i, int lastI, int j, int lastJ) {
        return Math.min(lastI - i + 1, lastJ - j + 1) / 2;
    }
}
