package io.samplesort.cpu;

import io.samplesort.cpu.lanes.Elements;
import io.samplesort.cpu.leaf.SimdArray;
import java.util.ArrayList;
import java.util.List;

/// Sorts an array where it lies by the JDK's SIMD functions alone: it partitions ranges until they are short enough for
/// one call. For one thread, and on some processors for a few, this takes less time than to distribute the elements
/// among many buckets first, since a SIMD function compares several elements at a time.
///
/// A level of it costs 0.6 ns for a long (Zen 5), and a distribution pass as much as six of them.
final class QuickSort {
    /// With fewer elements it does not pay to wait until the functions are loaded.
    private static final int LEAST_COUNT = 1 << 20;

    /// With fewer elements, few distinct keys are partitioned as fast as counted.
    private static final int LEAST_COUNTED = 1 << 22;

    /// A thread's share of the elements is divided by this; a smaller range is left to one call.
    private static final int RANGES_PER_THREAD = 8;

    /// So many elements are looked at before any is moved.
    private static final int PROBE_COUNT = 1 << 14;

    /// In a shorter range nobody looks for frequent keys.
    private static final int LEAST_SPLIT = 1 << 12;

    private final SimdArray array;
    private final Parallel parallel;
    private final int callLimit;
    /// Whether there is a NaN or a negative zero.
    private volatile boolean isGivenUp;

    /// @param callLimit a range of at most so many elements is sorted by one call; at least 2
    QuickSort(SimdArray array, Parallel parallel, int callLimit) {
        this.array = array;
        this.parallel = parallel;
        this.callLimit = callLimit;
    }

    /// Sorts all of `elements` if they are an array whose natural order is that of the sort, and if this is the fastest
    /// way.
    ///
    /// @return whether they are sorted; otherwise they may have been moved
    static boolean trySort(Team team, Elements elements) {
        long count = elements.count();
        if (count < LEAST_COUNT
                || team.size() > SimdArray.threadLimit()
                || !team.leader().lane.sortsInPlace(elements)) {
            return false;
        }
        SimdArray array = SimdArray.of(elements.keys().heapBase().orElseThrow());
        if (array == null) {
            return false;
        }
        int from = Math.toIntExact(elements.keys().address() / elements.keyBytes());
        int to = Math.toIntExact(from + count);
        if (count >= LEAST_COUNTED && array.hasFewKeys(from, to) || !array.isOrdinary(from, from + PROBE_COUNT)) {
            return false;
        }
        int callLimit = array.callLimit();
        if (team.size() > 1) {
            callLimit = (int) Math.min(callLimit, count / ((long) RANGES_PER_THREAD * team.size()));
        }
        return new QuickSort(array, team.parallel(), callLimit).trySort(from, to);
    }

    /// Sorts the elements `from..to` of the array.
    ///
    /// @return whether they are sorted; otherwise there is a NaN or a negative zero among them, and they may have been
    ///     moved
    boolean trySort(int from, int to) {
        sort(from, to, 2 * (Integer.SIZE - Integer.numberOfLeadingZeros((to - from) / callLimit)));
        return !isGivenUp;
    }

    /// @param depth after so many partitions the rest is left to one call, which takes n log n steps at worst
    private void sort(int from, int to, int depth) {
        if (isGivenUp) {
            return;
        }
        if (to - from <= callLimit || depth == 0) {
            if (isOrdinary(from, to)) {
                sortByCalls(from, to);
            }
            return;
        }
        SimdArray.Parts parts = array.partition(from, to);
        if (parts == null) {
            isGivenUp = true;
            return;
        }
        List<Runnable> works = new ArrayList<>(3);
        works.add(() -> sort(from, parts.firstEnd(), depth - 1));
        works.add(() -> sort(parts.lastStart(), to, depth - 1));
        if (!parts.isUniform()) {
            works.add(() -> sort(parts.firstEnd(), parts.lastStart(), depth - 1));
        } else {
            works.add(() -> isOrdinary(parts.firstEnd(), parts.lastStart()));
        }
        parallel.run(works);
    }

    /// Sorts a range by one call, without the keys that are frequent in it: the JDK's sort takes up to five times as
    /// long where some keys occur far more often than others.
    private void sortByCalls(int from, int to) {
        SimdArray.Parts parts = to - from < LEAST_SPLIT ? null : array.splitByFrequentKey(from, to);
        if (parts == null) {
            array.sort(from, to);
        } else {
            sortByCalls(from, parts.firstEnd());
            sortByCalls(parts.lastStart(), to);
        }
    }

    /// Returns whether the functions can sort these elements, and gives up if not.
    private boolean isOrdinary(int from, int to) {
        if (array.isOrdinary(from, to)) {
            return true;
        }
        isGivenUp = true;
        return false;
    }
}
