package io.samplesort.cpu.numbers;

import io.samplesort.keys.OrderedBits;

/// Brings arrays of numbers into order that are in order already or in reverse order. Most others are recognized by
/// their first few elements.
final class SortedArrays {
    private SortedArrays() {}

    /// Returns whether `array[from]` to `array[to - 1]` are in ascending order, or were in descending order and have
    /// been reversed.
    ///
    /// @param array of ints, longs, floats or doubles; others are never in order
    static boolean tryOrder(Object array, int from, int to) {
        if (isAscending(array, from, to)) {
            return true;
        }
        if (array instanceof long[] a) {
            return LongRuns.isDescending(a, from, to, 0) && reverse(a, from, to);
        }
        if (array instanceof int[] a) {
            return IntRuns.isDescending(a, from, to, 0) && reverse(a, from, to);
        }
        if (array instanceof double[] a) {
            return isDescending(a, from, to) && reverse(a, from, to);
        }
        return array instanceof float[] a && isDescending(a, from, to) && reverse(a, from, to);
    }

    /// Returns whether `array[from]` to `array[to - 1]` are in ascending order.
    ///
    /// @param array of ints, longs, floats or doubles; others are never in order
    static boolean isAscending(Object array, int from, int to) {
        if (array instanceof long[] a) {
            return LongRuns.isAscending(a, from, to, 0);
        }
        if (array instanceof int[] a) {
            return IntRuns.isAscending(a, from, to, 0);
        }
        if (array instanceof double[] a) {
            return LongRuns.isAscending(a, from, to);
        }
        return array instanceof float[] a && isAscending(a, from, to);
    }

    private static boolean isDescending(double[] keys, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (!(keys[i - 1] > keys[i]) && LongRuns.place(keys[i - 1]) < LongRuns.place(keys[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAscending(float[] keys, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (!(keys[i - 1] < keys[i]) && place(keys[i - 1]) > place(keys[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDescending(float[] keys, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (!(keys[i - 1] > keys[i]) && place(keys[i - 1]) < place(keys[i])) {
                return false;
            }
        }
        return true;
    }

    private static int place(float key) {
        return OrderedBits.ofFloat(Float.floatToRawIntBits(key));
    }

    private static boolean reverse(long[] values, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            long value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
        return true;
    }

    private static boolean reverse(int[] values, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            int value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
        return true;
    }

    private static boolean reverse(double[] values, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            double value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
        return true;
    }

    private static boolean reverse(float[] values, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            float value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
        return true;
    }
}
