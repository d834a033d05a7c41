package io.samplesort.cpu;

import io.samplesort.cpu.lanes.Elements;
import io.samplesort.cpu.leaf.SimdArray;
import java.util.ArrayList;
import java.util.List;

/// Sorts an array where it lies by SIMD functions alone: it partitions ranges until they are short enough for
/// one call. For one thread, and on some processors for a few, this takes less time than to distribute the elements
/// among many buckets first, since a SIMD function compares several elements at a time.
///
/// A level of it costs 0.2 ns for a long in the caches (Zen 5).
final class QuickSort {
    /// With fewer elements it does not pay to wait until the functions are loaded.
    private static final int LEAST_COUNT = 1 << 20;

    /// A thread's share of the elements is divided by this; a smaller range is left to one call.
    private static final int RANGES_PER_THREAD = 8;

    /// Elements that a thread reverses at a time.
    private static final int REVERSED_AT_A_TIME = 1 << 16;

    private final SimdArray array;
    private final Parallel parallel;
    private final int callLimit;

    /// @param callLimit a range of at most so many elements is sorted by one call; at least 2
    QuickSort(SimdArray array, Parallel parallel, int callLimit) {
        this.array = array;
        this.parallel = parallel;
        this.callLimit = callLimit;
    }

    /// Sorts all of `elements` if they are an array whose natural order is that of the sort, and if this is the fastest
    /// way.
    ///
    /// @return whether they are sorted; otherwise nothing has moved
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
        int callLimit = SimdArray.CALL_LIMIT;
        if (team.size() > 1) {
            callLimit = (int) Math.min(callLimit, count / ((long) RANGES_PER_THREAD * team.size()));
        }
        new QuickSort(array, team.parallel(), callLimit).sort(from, to);
        return true;
    }

    /// Sorts the elements `from..to` of the array.
    void sort(int from, int to) {
        sort(from, to, 2 * (Integer.SIZE - Integer.numberOfLeadingZeros((to - from) / callLimit)));
        int negativeEnd = array.negativeEnd(from, to);
        parallel.forRanges(
                (negativeEnd - from) / 2,
                REVERSED_AT_A_TIME,
                (start, end) -> array.swapMirrored(from, negativeEnd, (int) start, (int) end));
        array.moveNegativeNans(from, to);
    }

    /// @param depth after so many partitions the rest is left to calls, which take n log n steps at worst
    private void sort(int from, int to, int depth) {
        if (to - from <= callLimit || depth == 0) {
            array.sort(from, to);
            return;
        }
        SimdArray.Parts parts = array.partition(from, to);
        List<Runnable> works = new ArrayList<>(3);
        works.add(() -> sort(from, parts.firstEnd(), depth - 1));
        works.add(() -> sort(parts.lastStart(), to, depth - 1));
        if (!parts.isUniform()) {
            works.add(() -> sort(parts.firstEnd(), parts.lastStart(), depth - 1));
        }
        parallel.run(works);
    }
}
