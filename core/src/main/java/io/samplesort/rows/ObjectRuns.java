package io.samplesort.rows;

import java.util.Arrays;
import java.util.Comparator;

/// Sorts objects that the JDK sorts in less time than it takes to copy their keys: few of them, and those that consist
/// of a few long runs. Like the JDK's sort it compares neighbours first, and merges runs by leaps where many objects of
/// one run follow each other. Unlike the JDK's, it leaves the array as it was if the comparator throws.
public final class ObjectRuns {
    private static final int MOST_RUNS = 4;

    /// A shorter run is not worth a merge, unless it is the last one. Random objects show one within three comparisons.
    private static final int LEAST_RUN = 16;

    /// After this many objects of one run in a row, a merge leaps.
    private static final int STREAK = 7;

    private ObjectRuns() {}

    /// Sorts `array[from]` to `array[to - 1]` stably, if there are at most `few` or they consist of a few runs.
    ///
    /// @return whether they are sorted; if not, or if the comparator throws, nothing was changed. False, too, if there
    ///     is something that cannot be compared, or if the comparator contradicts itself.
    public static <T> boolean trySort(T[] array, int from, int to, Comparator<? super T> order, int few) {
        int count = to - from;
        if (count < 2) {
            return false;
        }
        try {
            if (count <= few) {
                T[] copy = Arrays.copyOfRange(array, from, to);
                Arrays.sort(copy, order);
                System.arraycopy(copy, 0, array, from, count);
                return true;
            }
            return tryMerge(array, from, to, order);
        } catch (NullPointerException | IllegalArgumentException e) {
            // Another way to sort says which object is null, and takes any comparator.
            return false;
        }
    }

    private static <T> boolean tryMerge(T[] array, int from, int to, Comparator<? super T> order) {
        int[] ends = new int[MOST_RUNS];
        boolean[] descends = new boolean[MOST_RUNS];
        int runs = 0;
        for (int at = from; at < to; runs++) {
            if (runs == MOST_RUNS) {
                return false;
            }
            descends[runs] = at + 1 < to && order.compare(array[at + 1], array[at]) < 0;
            int end = descends[runs] ? descendingEnd(array, at, to, order) : risingEnd(array, at, to, order);
            if (end < to && end - at < LEAST_RUN) {
                return false;
            }
            ends[runs] = end - from;
            at = end;
        }
        if (runs == 1) {
            if (descends[0]) {
                reverse(array, from, to);
            }
            return true;
        }
        T[] source = Arrays.copyOfRange(array, from, to);
        reverse(source, ends, descends, runs);
        try {
            merge(source, ends, runs, array, from, order);
        } catch (Throwable e) {
            reverse(source, ends, descends, runs);
            System.arraycopy(source, 0, array, from, source.length);
            throw e;
        }
        return true;
    }

    /// Returns where the run that begins at `from` ends. A method of its own for each direction: the compiler would
    /// begin anew whenever a loop for both goes the other way for the first time.
    private static <T> int risingEnd(T[] array, int from, int to, Comparator<? super T> order) {
        int end = from + 1;
        while (end < to && order.compare(array[end], array[end - 1]) >= 0) {
            end++;
        }
        return end;
    }

    private static <T> int descendingEnd(T[] array, int from, int to, Comparator<? super T> order) {
        int end = from + 1;
        while (end < to && order.compare(array[end], array[end - 1]) < 0) {
            end++;
        }
        return end;
    }

    private static void reverse(Object[] array, int[] ends, boolean[] descends, int runs) {
        for (int run = 0; run < runs; run++) {
            if (descends[run]) {
                reverse(array, run == 0 ? 0 : ends[run - 1], ends[run]);
            }
        }
    }

    private static void reverse(Object[] array, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            Object object = array[i];
            array[i] = array[j];
            array[j] = object;
        }
    }

    /// Merges two to four runs.
    private static <T> void merge(T[] source, int[] ends, int runs, T[] target, int to, Comparator<? super T> order) {
        if (runs == 2) {
            merge(source, 0, ends[0], ends[1], target, to, order);
            return;
        }
        T[] halves = source.clone();
        merge(source, 0, ends[0], ends[1], halves, 0, order);
        if (runs == MOST_RUNS) {
            merge(source, ends[1], ends[2], ends[3], halves, ends[1], order);
        }
        merge(halves, 0, ends[1], source.length, target, to, order);
    }

    /// Merges two runs.
    ///
    /// @param start where the result begins in `target`
    private static <T> void merge(
            T[] source, int from, int middle, int to, T[] target, int start, Comparator<? super T> order) {
        int left = from;
        int right = middle;
        int at = start;
        while (left < middle && right < to) {
            int streak = 0;
            while (order.compare(source[right], source[left]) >= 0) {
                target[at++] = source[left++];
                if (left == middle) {
                    break;
                }
                if (++streak == STREAK) {
                    int end = leap(source, left, middle, source[right], false, order);
                    System.arraycopy(source, left, target, at, end - left);
                    at += end - left;
                    left = end;
                    break;
                }
            }
            streak = 0;
            while (left < middle && right < to && order.compare(source[right], source[left]) < 0) {
                target[at++] = source[right++];
                if (++streak == STREAK && right < to) {
                    int end = leap(source, right, to, source[left], true, order);
                    System.arraycopy(source, right, target, at, end - right);
                    at += end - right;
                    right = end;
                    break;
                }
            }
        }
        System.arraycopy(source, left, target, at, middle - left);
        System.arraycopy(source, right, target, at + middle - left, to - right);
    }

    /// Returns the first place of a run, from `from` on, whose object does not belong before `bound`.
    ///
    /// @param isStrict whether an object that equals the bound does not belong before it either
    private static <T> int leap(T[] source, int from, int to, T bound, boolean isStrict, Comparator<? super T> order) {
        int low = from;
        int step = 1;
        int high = from;
        while (high < to && belongsBefore(source[high], bound, isStrict, order)) {
            low = high + 1;
            high = step < to - high ? high + step : to;
            step *= 2;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (belongsBefore(source[middle], bound, isStrict, order)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static <T> boolean belongsBefore(T object, T bound, boolean isStrict, Comparator<? super T> order) {
        return isStrict ? order.compare(object, bound) < 0 : order.compare(bound, object) >= 0;
    }
}
