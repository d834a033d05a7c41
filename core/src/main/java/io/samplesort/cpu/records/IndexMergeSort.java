package io.samplesort.cpu.records;

import io.samplesort.cpu.threads.Parallel;

/// A stable, parallel merge sort of element indexes by any comparator.
///
/// Whatever the comparator returns, every step permutes the indexes: a merge takes each index of both its runs once,
/// and a merge that two threads share may be cut anywhere in both runs. So a comparator that contradicts itself gets
/// some permutation, and no exception.
public final class IndexMergeSort {
    private static final int INSERTION_SORT_LIMIT = 12;

    private final Parallel parallel;
    private final ElementComparator comparator;
    private final int[] indexes;
    private final int[] spare;
    private final int grain;

    /// @param indexes the indexes to sort
    /// @param spare   an array of the same length, which is overwritten where `indexes` is sorted
    /// @param grain   one thread sorts or merges at most this many indexes
    public IndexMergeSort(Parallel parallel, ElementComparator comparator, int[] indexes, int[] spare, int grain) {
        this.parallel = parallel;
        this.comparator = comparator;
        this.indexes = indexes;
        this.spare = spare;
        this.grain = Math.max(2, grain);
    }

    /// Sorts places `from..to`. Equal elements stay in the order of their indexes.
    public void sort(int from, int to) {
        sort(indexes, spare, from, to, false);
    }

    /// Sorts what is in `source`; the result is in `target` if `isMoved`, else in `source` again.
    private void sort(int[] source, int[] target, int from, int to, boolean isMoved) {
        int count = to - from;
        if (count <= INSERTION_SORT_LIMIT) {
            insertionSort(source, from, to);
            if (isMoved) {
                System.arraycopy(source, from, target, from, count);
            }
            return;
        }
        int middle = from + count / 2;
        if (count > grain) {
            parallel.both(
                    () -> sort(source, target, from, middle, !isMoved),
                    () -> sort(source, target, middle, to, !isMoved));
        } else {
            sort(source, target, from, middle, !isMoved);
            sort(source, target, middle, to, !isMoved);
        }
        int[] halves = isMoved ? source : target;
        int[] whole = isMoved ? target : source;
        merge(halves, from, middle, middle, to, whole, from);
    }

    private void insertionSort(int[] values, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int value = values[i];
            int at = i;
            while (at > from && comparator.compare(value, values[at - 1]) < 0) {
                values[at] = values[at - 1];
                at--;
            }
            values[at] = value;
        }
    }

    /// Merges the runs `left..leftEnd` and `right..rightEnd` of `source` to `target`, from place `at` on.
    private void merge(int[] source, int left, int leftEnd, int right, int rightEnd, int[] target, int at) {
        int leftCount = leftEnd - left;
        int rightCount = rightEnd - right;
        if (leftCount == 0 || rightCount == 0 || comparator.compare(source[right], source[leftEnd - 1]) >= 0) {
            System.arraycopy(source, left, target, at, leftCount);
            System.arraycopy(source, right, target, at + leftCount, rightCount);
        } else if (leftCount + rightCount <= grain) {
            mergeAlone(source, left, leftEnd, right, rightEnd, target, at);
        } else {
            boolean isLeftLarger = leftCount >= rightCount;
            int leftCut = isLeftLarger ? left + leftCount / 2 : 0;
            int rightCut = isLeftLarger ? firstNotBefore(source, right, rightEnd, source[leftCut]) : 0;
            if (!isLeftLarger) {
                rightCut = right + rightCount / 2;
                leftCut = firstAfter(source, left, leftEnd, source[rightCut]);
            }
            int leftEnding = leftCut;
            int rightEnding = rightCut;
            parallel.both(
                    () -> merge(source, left, leftEnding, right, rightEnding, target, at),
                    () -> merge(
                            source,
                            leftEnding,
                            leftEnd,
                            rightEnding,
                            rightEnd,
                            target,
                            at + (leftEnding - left) + (rightEnding - right)));
        }
    }

    private void mergeAlone(int[] source, int left, int leftEnd, int right, int rightEnd, int[] target, int at) {
        int l = left;
        int r = right;
        int to = at;
        int leftIndex = source[l];
        int rightIndex = source[r];
        while (true) {
            if (comparator.compare(rightIndex, leftIndex) < 0) {
                target[to++] = rightIndex;
                if (++r == rightEnd) {
                    System.arraycopy(source, l, target, to, leftEnd - l);
                    return;
                }
                rightIndex = source[r];
            } else {
                target[to++] = leftIndex;
                if (++l == leftEnd) {
                    System.arraycopy(source, r, target, to, rightEnd - r);
                    return;
                }
                leftIndex = source[l];
            }
        }
    }

    /// Returns the first place whose element does not come before element `index`.
    private int firstNotBefore(int[] sorted, int from, int to, int index) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (comparator.compare(sorted[middle], index) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Returns the first place whose element comes after element `index`.
    private int firstAfter(int[] sorted, int from, int to, int index) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (comparator.compare(index, sorted[middle]) < 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
