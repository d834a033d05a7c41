package io.samplesort.cpu.leaf;

/// Brings doubles that were sorted by their bits, as signed longs, into the order of the engine. Such a sort moves all
/// bits as they are, NaNs and negative zeros too. Only negative numbers, which come first, then run down instead of up.
///
/// The order is Java's, in which negative zeros come before zeros and NaNs come last. NaNs whose sign bit is set come
/// after the others.
final class DoubleOrder {
    private DoubleOrder() {}

    /// Returns where the numbers with a sign bit end among `values[from..to)`, which are sorted by their bits.
    static int negativeEnd(double[] values, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Double.doubleToRawLongBits(values[middle]) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Reverses `values[from..to)` as far as the elements `from + start..from + end` go, which are in its first half:
    /// swaps each with the one that is as far from the other end.
    static void swapMirrored(double[] values, int from, int to, int start, int end) {
        for (int i = from + start, j = to - 1 - start; i < from + end; i++, j--) {
            double value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
    }

    /// Moves NaNs with a sign bit to the end of `values[from..to)`, where they come first.
    static void moveNegativeNans(double[] values, int from, int to) {
        int end = from;
        while (end < to && Double.isNaN(values[end]) && Double.doubleToRawLongBits(values[end]) < 0) {
            end++;
        }
        if (end > from) {
            reverse(values, from, end);
            reverse(values, end, to);
            reverse(values, from, to);
        }
    }

    static void reverse(double[] values, int from, int to) {
        swapMirrored(values, from, to, 0, (to - from) / 2);
    }
}
