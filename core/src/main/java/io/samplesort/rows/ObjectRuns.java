package io.samplesort.rows;

import java.util.Arrays;
import java.util.Comparator;

/// Sorts objects that the JDK sorts in less time than it takes to copy their keys: few of them, and those that seem to
/// consist of a few long runs. Unlike the JDK's sort, it leaves the array as it was if the comparator throws.
public final class ObjectRuns {
    /// Up to this many objects, it pays to look at all of them for one rising run, which needs no copy. Beyond that,
    /// the loop of the JDK does so, which is compiled earlier.
    private static final int MOST_LOOKED_AT = 1 << 13;

    /// At most this many stretches of objects, spread over the input, are looked at.
    private static final int MOST_STRETCHES = 32;

    /// There is one of them for this many objects.
    private static final int OBJECTS_FOR_STRETCH = 64;

    /// Random objects show within three comparisons that such a stretch is no run.
    private static final int STRETCH = 16;

    /// In as many stretches one run may end and another begin.
    private static final int MOST_BROKEN = 3;

    private ObjectRuns() {}

    /// Sorts `array[from]` to `array[to - 1]` stably, if there are at most `few` or they seem to be a few runs.
    ///
    /// @return whether they are sorted; if not, or if the comparator throws, nothing was changed. False, too, if there
    ///     is something that cannot be compared, or if the comparator contradicts itself.
    public static <T> boolean trySort(T[] array, int from, int to, Comparator<? super T> order, int few) {
        int count = to - from;
        if (count < 2) {
            return false;
        }
        try {
            if (count > few) {
                if (count <= MOST_LOOKED_AT && isRising(array, from, to, order)) {
                    return true;
                }
                if (!seemRuns(array, from, to, order)) {
                    return false;
                }
            }
            T[] copy = Arrays.copyOfRange(array, from, to);
            Arrays.sort(copy, order);
            System.arraycopy(copy, 0, array, from, count);
            return true;
        } catch (NullPointerException | IllegalArgumentException e) {
            // Another way to sort says which object is null, and takes any comparator.
            return false;
        }
    }

    private static <T> boolean isRising(T[] array, int from, int to, Comparator<? super T> order) {
        int at = from + 1;
        while (at < to && order.compare(array[at], array[at - 1]) >= 0) {
            at++;
        }
        return at >= to;
    }

    private static <T> boolean seemRuns(T[] array, int from, int to, Comparator<? super T> order) {
        int length = Math.min(STRETCH, to - from);
        int stretches = Math.clamp((to - from) / OBJECTS_FOR_STRETCH, MOST_BROKEN + 2, MOST_STRETCHES);
        int broken = 0;
        for (int i = 0; i < stretches && broken <= MOST_BROKEN; i++) {
            int start = from + (int) ((long) (to - from - length) * i / (stretches - 1));
            broken += isRun(array, start, start + length, order) ? 0 : 1;
        }
        return broken <= MOST_BROKEN;
    }

    /// Returns whether objects rise, some of them perhaps equal, or fall.
    private static <T> boolean isRun(T[] array, int from, int to, Comparator<? super T> order) {
        boolean falls = to - from > 1 && order.compare(array[from + 1], array[from]) < 0;
        int at = from + 1;
        while (at < to && order.compare(array[at], array[at - 1]) < 0 == falls) {
            at++;
        }
        return at >= to;
    }
}
