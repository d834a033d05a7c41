package io.samplesort.objects;

import io.samplesort.cpu.index.IndexMergeSort;
import io.samplesort.cpu.keys.ElementComparator;
import io.samplesort.cpu.threads.Parallel;

/// Sorts the indexes of objects by a comparator of which nothing is known, stably, and by whatever comparator: one that
/// contradicts itself gets some permutation.
public final class ComparatorSort {
    /// One thread sorts or merges at most so many indexes.
    private static final int GRAIN = 1 << 12;

    private ComparatorSort() {}

    /// Returns the indexes `0..count` in order.
    public static int[] argsort(int count, ElementComparator comparator, int threads) {
        return argsort(count, comparator, new Parallel(count <= GRAIN ? 1 : threads));
    }

    static int[] argsort(int count, ElementComparator comparator, Parallel parallel) {
        int[] indexes = new int[count];
        for (int i = 0; i < count; i++) {
            indexes[i] = i;
        }
        new IndexMergeSort(parallel, comparator, indexes, new int[count], GRAIN).sort(0, count);
        return indexes;
    }
}
