package io.samplesort.cpu.numbers;

import io.samplesort.keys.OrderedBits;
import java.util.function.Consumer;

/// Finds the order of numbers where this needs no sorter of indexes: keys of at most 4 bytes are sorted together with
/// their indexes as longs, and of keys of 8 bytes few are inserted, and a few runs are merged. Equal numbers come in
/// the order of their indexes.
public final class DirectArgsort {
    /// More keys of 8 bytes take an insertion sort too many steps.
    private static final int MOST_INSERTED = 24;

    private static final int MOST_RUNS = 4;

    /// A shorter run is not worth a merge, unless it is the last one.
    private static final int LEAST_RUN = 16;

    private DirectArgsort() {}

    /// Returns the indexes of `array[from]` to `array[to - 1]` in natural order; null if another way is faster.
    ///
    /// @param array of any primitive type but boolean
    /// @param sort  sorts all longs of an array
    public static int[] tryArgsort(Object array, int from, int to, Consumer<long[]> sort) {
        int count = to - from;
        if (count > DirectSort.MOST) {
            return null;
        }
        if (SortedArrays.isAscending(array, from, to)) {
            return indexes(from, count);
        }
        boolean isWide = array instanceof long[] || array instanceof double[];
        if (!isWide) {
            return packed(places(array, from, to), from, sort);
        }
        return count <= MOST_INSERTED ? inserted(places(array, from, to), from) : tryMerge(array, from, to);
    }

    private static int[] indexes(int from, int count) {
        int[] indexes = new int[count];
        for (int i = 0; i < count; i++) {
            indexes[i] = from + i;
        }
        return indexes;
    }

    private static int[] packed(long[] places, int from, Consumer<long[]> sort) {
        for (int i = 0; i < places.length; i++) {
            places[i] = places[i] << Integer.SIZE | i;
        }
        sort.accept(places);
        int[] indexes = new int[places.length];
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] = from + (int) places[i];
        }
        return indexes;
    }

    private static int[] tryMerge(Object array, int from, int to) {
        int probed = Math.min(LEAST_RUN, to - from);
        long[] first = places(array, from, from + probed);
        if (!LongRuns.isAscending(first, 0, probed, 0) && !LongRuns.isDescending(first, 0, probed, 0)) {
            return null;
        }
        long[] places = places(array, from, to);
        int[] indexes = indexes(0, places.length);
        int[] ends = new int[MOST_RUNS];
        int runs = findRuns(places, indexes, ends);
        int[] target = runs > 1 ? new int[indexes.length] : null;
        for (int left = runs; left > 1; left = Lane.halve(ends, left)) {
            for (int run = 0; run < left; run += 2) {
                int start = run == 0 ? 0 : ends[run - 1];
                merge(places, indexes, start, ends[run], ends[Math.min(run + 1, left - 1)], target);
            }
            int[] merged = target;
            target = indexes;
            indexes = merged;
        }
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] += from;
        }
        return runs == 0 ? null : indexes;
    }

    /// Finds where runs end, and reverses the indexes of those in which each key is less than the one before.
    ///
    /// @return how many runs there are; 0 if they are too many
    private static int findRuns(long[] places, int[] indexes, int[] ends) {
        int runs = 0;
        for (int at = 0; at < places.length; ) {
            int end = at + 1;
            if (end < places.length && places[end] < places[at]) {
                while (end < places.length && places[end] < places[end - 1]) {
                    end++;
                }
                for (int i = at; i < end; i++) {
                    indexes[i] = at + end - 1 - i;
                }
            } else {
                while (end < places.length && places[end - 1] <= places[end]) {
                    end++;
                }
            }
            if (runs == MOST_RUNS || end < places.length && end - at < LEAST_RUN) {
                return 0;
            }
            ends[runs++] = end;
            at = end;
        }
        return runs;
    }

    private static void merge(long[] places, int[] source, int from, int middle, int to, int[] target) {
        int left = from;
        int right = middle;
        int at = from;
        if (middle < to && places[source[to - 1]] < places[source[from]]) {
            System.arraycopy(source, middle, target, from, to - middle);
            System.arraycopy(source, from, target, from + to - middle, middle - from);
            return;
        }
        while (left < middle && right < to) {
            target[at++] = places[source[right]] < places[source[left]] ? source[right++] : source[left++];
        }
        System.arraycopy(source, left, target, at, middle - left);
        System.arraycopy(source, right, target, at + middle - left, to - right);
    }

    private static int[] inserted(long[] places, int from) {
        int[] indexes = new int[places.length];
        for (int i = 0; i < indexes.length; i++) {
            long place = places[i];
            int at = i;
            for (; at > 0 && places[at - 1] > place; at--) {
                places[at] = places[at - 1];
                indexes[at] = indexes[at - 1];
            }
            places[at] = place;
            indexes[at] = from + i;
        }
        return indexes;
    }

    /// Returns longs in the order of the numbers, of as many bits.
    private static long[] places(Object array, int from, int to) {
        long[] places = new long[to - from];
        if (array instanceof long[] keys) {
            System.arraycopy(keys, from, places, 0, places.length);
        } else if (array instanceof double[] keys) {
            for (int i = 0; i < places.length; i++) {
                places[i] = LongRuns.place(keys[from + i]);
            }
        } else if (array instanceof int[] keys) {
            for (int i = 0; i < places.length; i++) {
                places[i] = keys[from + i];
            }
        } else if (array instanceof float[] keys) {
            for (int i = 0; i < places.length; i++) {
                places[i] = OrderedBits.ofFloat(Float.floatToRawIntBits(keys[from + i]));
            }
        } else if (array instanceof short[] keys) {
            for (int i = 0; i < places.length; i++) {
                places[i] = keys[from + i];
            }
        } else if (array instanceof char[] keys) {
            for (int i = 0; i < places.length; i++) {
                places[i] = keys[from + i];
            }
        } else {
            for (int i = 0; i < places.length; i++) {
                places[i] = ((byte[]) array)[from + i];
            }
        }
        return places;
    }
}
