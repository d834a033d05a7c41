package io.samplesort.cpu.lanes;

import io.samplesort.keys.OrderedBits;

/// Tells whether keys `from..to` are in ascending or in descending order.
final class Monotony {
    private Monotony() {}

    static boolean isAscending(int[] keys, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (keys[i - 1] > keys[i]) {
                return false;
            }
        }
        return true;
    }

    /// Tells whether doubles are in the order of the longs that [OrderedBits] makes of them. Only where the first of
    /// two neighbours is not less as a number, as with equal keys and NaNs, these longs have to be compared.
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

    static boolean isDescending(int[] keys, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (keys[i - 1] < keys[i]) {
                return false;
            }
        }
        return true;
    }

    /// @param ignored the low bits, which do not belong to the key
    static boolean isAscending(long[] keys, int from, int to, long ignored) {
        for (int i = from + 1; i < to; i++) {
            if ((keys[i - 1] | ignored) > (keys[i] | ignored)) {
                return false;
            }
        }
        return true;
    }

    /// @param ignored the low bits, which do not belong to the key
    static boolean isDescending(long[] keys, int from, int to, long ignored) {
        for (int i = from + 1; i < to; i++) {
            if ((keys[i - 1] | ignored) < (keys[i] | ignored)) {
                return false;
            }
        }
        return true;
    }
}
