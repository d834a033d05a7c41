package io.samplesort.cpu.sorted;

import java.lang.foreign.MemorySegment;

/// Cuts two sorted inputs so that set operations can work on what lies between two cuts by itself. The first of equal
/// keys of one input is the partner of the first of the other, the second that of the second, and so on. No cut parts
/// partners: of equal keys, as many lie left of a cut in the one input as in the other, unless one has no more.
///
/// If inputs are not sorted, cuts may go backwards, but they lie in the inputs.
final class SetCuts {
    private static final int FIRST_STEP = 1 << 10;

    private final KeyOrder order;
    private final MemorySegment first;
    private final MemorySegment second;
    private final long firstCount;
    private final long secondCount;

    SetCuts(KeyOrder order, Input first, Input second) {
        this.order = order;
        this.first = first.keys();
        this.second = second.keys();
        this.firstCount = first.count();
        this.secondCount = second.count();
    }

    /// Returns how many elements of each input lie left of a cut: in all as many as wanted, or one more.
    ///
    /// @param from how many elements of the first input lie left of another cut, which is not behind this one
    long[] at(long wanted, long from) {
        long i = ofFirst(wanted, from);
        long j = wanted - i;
        if (i == 0 && j == 0 || i == firstCount && j == secondCount) {
            return new long[] {i, j};
        }
        boolean isFirstLast = j == 0 || i > 0 && order.compare(first, i - 1, second, j - 1) >= 0;
        MemorySegment keys = isFirstLast ? first : second;
        long key = isFirstLast ? i - 1 : j - 1;
        long endOfFirst = order.boundFrom(first, i, firstCount, keys, key, true);
        long endOfSecond = order.boundFrom(second, j, secondCount, keys, key, true);
        if (endOfFirst == i && endOfSecond == j) {
            return new long[] {i, j};
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

    /// Returns how many of the first `wanted` elements of both inputs are of the first one: at least `from`. It looks
    /// near `from` first, in steps that double.
    private long ofFirst(long wanted, long from) {
        long low = Math.clamp(wanted - secondCount, from, firstCount);
        long high = Math.clamp(wanted, low, firstCount);
        for (long step = FIRST_STEP; low < high; ) {
            long middle = Math.min((low + high) >>> 1, low + step);
            if (order.compare(first, middle, second, wanted - 1 - middle) <= 0) {
                low = middle + 1;
                step *= 2;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
