package io.samplesort.cpu.sorted;

import io.samplesort.memory.RunCuts;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Cuts two sorted inputs so that set operations can work on what lies between two cuts by itself. The first of equal
/// keys of one input is the partner of the first of the other, the second that of the second, and so on. No cut parts
/// partners: of equal keys, as many lie left of a cut in the one input as in the other, unless one has no more.
///
/// If inputs are not sorted, cuts may go backwards, but they lie in the inputs.
final class SetCuts {
    private final KeyOrder order;
    private final MemorySegment first;
    private final MemorySegment second;
    private final long firstCount;
    private final long secondCount;
    private final CutRuns runs;

    SetCuts(KeyOrder order, Input first, Input second) {
        this.order = order;
        this.first = first.keys();
        this.second = second.keys();
        this.firstCount = first.count();
        this.secondCount = second.count();
        this.runs = CutRuns.of(order, List.of(first, second));
    }

    /// Returns how many elements of each input lie left of a cut: in all as many as wanted, or one more.
    long[] at(long wanted) {
        long[] cut = RunCuts.at(runs, wanted, new long[2]);
        long i = cut[0];
        long j = cut[1];
        if (i == 0 && j == 0 || i == firstCount && j == secondCount) {
            return cut;
        }
        boolean isFirstLast = j == 0 || i > 0 && order.compare(first, i - 1, second, j - 1) >= 0;
        MemorySegment keys = isFirstLast ? first : second;
        long key = isFirstLast ? i - 1 : j - 1;
        long endOfFirst = order.boundFrom(first, i, firstCount, keys, key, true);
        long endOfSecond = order.boundFrom(second, j, secondCount, keys, key, true);
        if (endOfFirst == i && endOfSecond == j) {
            return cut;
        }
        long beginOfFirst = order.boundBefore(first, 0, i, keys, key, false);
        long beginOfSecond = order.boundBefore(second, 0, j, keys, key, false);
        long left = i - beginOfFirst + j - beginOfSecond;
        long inFirst = endOfFirst - beginOfFirst;
        long partners = Math.min(inFirst, endOfSecond - beginOfSecond);
        long ofFirst;
        long ofSecond;
        if (left < 2 * partners) {
            ofFirst = (left + 1) / 2;
            ofSecond = ofFirst;
        } else {
            ofFirst = inFirst == partners ? partners : left - partners;
            ofSecond = left - ofFirst;
        }
        return new long[] {beginOfFirst + ofFirst, beginOfSecond + ofSecond};
    }
}
