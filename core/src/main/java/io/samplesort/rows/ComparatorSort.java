package io.samplesort.rows;

import io.samplesort.cpu.records.ElementComparator;
import io.samplesort.cpu.records.IndexMergeSort;
import io.samplesort.cpu.threads.Parallel;
import java.util.Comparator;

/// Sorts the indexes of objects by any comparator, stably. A comparator that contradicts itself gets some permutation.
public final class ComparatorSort {
    /// One thread sorts or merges at most this many indexes.
    private static final int GRAIN = 1 << 12;

    private ComparatorSort() {}

    /// Returns the indexes of objects in order.
    ///
    /// @param firstIndex what errors call the index of the first object
    /// @throws NullPointerException if the order cannot compare an object because it or a key is null; the message says
    ///     which object
    public static <T> int[] argsort(T[] objects, Comparator<? super T> order, int firstIndex, int threads) {
        try {
            return argsort(
                    objects.length,
                    (a, b) -> order.compare(objects[(int) a], objects[(int) b]),
                    new Parallel(objects.length <= GRAIN ? 1 : threads));
        } catch (NullPointerException e) {
            throw NullElements.named(e, order, objects, firstIndex);
        }
    }

    /// Returns the indexes `0..count` in order.
    static int[] argsort(int count, ElementComparator comparator, Parallel parallel) {
        int[] indexes = new int[count];
        for (int i = 0; i < count; i++) {
            indexes[i] = i;
        }
        new IndexMergeSort(parallel, comparator, indexes, new int[count], GRAIN).sort(0, count);
        return indexes;
    }
}
