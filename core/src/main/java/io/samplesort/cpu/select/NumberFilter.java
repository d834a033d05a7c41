package io.samplesort.cpu.select;

import io.samplesort.memory.RankBounds;
import java.util.Arrays;

/// Filters numbers by comparing keys alone. A bound decides between equal keys by their indexes: before its own index
/// its key is still on one side, and after it on the other. So between the indexes of the bounds, both are plain keys.
final class NumberFilter implements Filter {
    private final NumberKeys keys;
    /// Null if there is none.
    private final Bound low;

    /// Null if there is none.
    private final Bound high;

    /// A number, and the index of its element.
    record Bound(long key, long index) {}

    private NumberFilter(NumberKeys keys, Bound low, Bound high) {
        this.keys = keys;
        this.low = low;
        this.high = high;
    }

    /// Returns the filter with bounds from a sample.
    ///
    /// @param places the indexes of the sample, in ascending order
    static NumberFilter of(NumberKeys keys, long[] places, RankBounds bounds) {
        long[] sample = new long[places.length];
        for (int i = 0; i < places.length; i++) {
            sample[i] = keys.key(places[i]);
        }
        long[] sorted = sample.clone();
        Arrays.sort(sorted);
        return new NumberFilter(
                keys,
                bounds.hasLow() ? bound(sample, sorted, places, bounds.low()) : null,
                bounds.hasHigh() ? bound(sample, sorted, places, bounds.high()) : null);
    }

    /// Returns the element of this rank in the sample.
    private static Bound bound(long[] sample, long[] sorted, long[] places, int rank) {
        long key = sorted[rank];
        int equalBefore = 0;
        while (equalBefore < rank && sorted[rank - equalBefore - 1] == key) {
            equalBefore++;
        }
        int at = 0;
        for (int left = equalBefore; sample[at] != key || left-- > 0; ) {
            at++;
        }
        return new Bound(key, places[at]);
    }

    @Override
    public long filter(long from, long to, int[] kept) {
        long less = 0;
        int count = 0;
        for (long at = from; at < to; ) {
            long end = Math.min(
                    nextCut(low == null ? -1 : low.index, at, to), nextCut(high == null ? -1 : high.index + 1, at, to));
            long found = filter(from, (int) (at - from), (int) (end - from), kept, count);
            less += found >>> Integer.SIZE;
            count = (int) found;
            at = end;
        }
        return less << Integer.SIZE | count;
    }

    private static long nextCut(long cut, long at, long to) {
        return cut > at && cut < to ? cut : to;
    }

    /// Filters elements that all lie on the same side of the index of each bound.
    private long filter(long base, int begin, int end, int[] kept, int count) {
        long least = keys.kind().least();
        if (high == null) {
            // Few elements lie above the bound, and so they lie below it in the opposite order.
            boolean isStrict = base + begin < low.index;
            long opposite = ~low.key;
            return isStrict && opposite == least
                    ? count
                    : keys.opposite().keepUpTo(base, begin, end, opposite - (isStrict ? 1 : 0), kept, count);
        }
        boolean isStrict = base + begin > high.index;
        if (isStrict && high.key == least) {
            // The lower bound is as small as the upper one, so nothing lies below it.
            return count;
        }
        long last = high.key - (isStrict ? 1 : 0);
        if (low == null) {
            return keys.keepUpTo(base, begin, end, last, kept, count);
        }
        boolean isBefore = base + begin < low.index;
        if (isBefore && low.key == ~least) {
            return (long) (end - begin) << Integer.SIZE | count;
        }
        long first = low.key + (isBefore ? 1 : 0);
        if (first > last) {
            // Both bounds have the same key: what is not above the range is below it.
            int notKept = keys.keepUpTo(base, begin, end, first - 1, kept, count) - count;
            return (long) notKept << Integer.SIZE | count;
        }
        return keys.keepBetween(base, begin, end, first, last, kept, count);
    }
}
