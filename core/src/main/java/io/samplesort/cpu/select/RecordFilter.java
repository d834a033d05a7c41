package io.samplesort.cpu.select;

import io.samplesort.cpu.records.ElementComparator;
import io.samplesort.cpu.records.SortKey;
import java.lang.foreign.MemorySegment;

/// Filters elements of any type by any order: by the leading bits of their sort keys, and by a comparator where these
/// bits are equal or there are none.
final class RecordFilter implements Filter {
    /// Stands for the index of a bound that there is not.
    static final long NO_BOUND = -1;

    private final MemorySegment elements;
    /// Null if the order is a comparator of the user's own.
    private final SortKey key;

    private final ElementComparator comparator;
    /// The index of the element that is the lower bound; negative if there is none.
    private final long low;

    /// The same for the upper bound.
    private final long high;

    private final long lowPrefix;
    private final long highPrefix;

    RecordFilter(MemorySegment elements, SortKey key, ElementComparator comparator, long low, long high) {
        this.elements = elements;
        this.key = key;
        this.comparator = comparator;
        this.low = low;
        this.high = high;
        this.lowPrefix = key == null || low < 0 ? 0 : key.prefix(elements, low);
        this.highPrefix = key == null || high < 0 ? 0 : key.prefix(elements, high);
    }

    @Override
    public long filter(long from, long to, int[] kept) {
        int below = 0;
        int count = 0;
        for (long i = from; i < to; i++) {
            long prefix = key == null ? 0 : key.prefix(elements, i);
            if (low >= 0 && compare(i, prefix, low, lowPrefix) < 0) {
                below++;
            } else if (high < 0 || compare(i, prefix, high, highPrefix) <= 0) {
                kept[count++] = (int) (i - from);
            }
        }
        return (long) below << Integer.SIZE | count;
    }

    private int compare(long index, long prefix, long bound, long boundPrefix) {
        if (prefix != boundPrefix) {
            return Long.compareUnsigned(prefix, boundPrefix);
        }
        int byKey = index == bound || key != null && key.isWholeInPrefix() ? 0 : comparator.compare(index, bound);
        return byKey != 0 ? byKey : Long.compare(index, bound);
    }
}
