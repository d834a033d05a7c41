package io.samplesort.cpu.select;

import io.samplesort.cpu.records.ElementComparator;
import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.cpu.records.SortKey;
import io.samplesort.memory.RankBounds;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Makes filters by samples of elements.
///
/// @param key     the sort key of the elements; null if the order is a comparator of the user's own
/// @param indexes sorts such elements by index
record Sampler(ElementType element, Order order, SortKey key, IndexedCpuSorter indexes) {
    /// One element in this many is sampled, but not fewer than the least and not more than the most. Each lies on a
    /// cache line of its own.
    private static final int SAMPLED_FROM = 1 << 10;

    private static final int LEAST_SAMPLED = 1 << 9;
    private static final int MOST_SAMPLED = 1 << 14;

    /// Returns the bounds of some ranks in a sample of a suitable size.
    static RankBounds bounds(long count, long from, long to, int attempt) {
        int sampleCount = Math.clamp(count / SAMPLED_FROM, LEAST_SAMPLED, MOST_SAMPLED);
        return RankBounds.of(count, sampleCount, from, to, attempt);
    }

    /// Returns the filter of elements with these bounds.
    Filter filter(MemorySegment elements, RankBounds bounds, int attempt) {
        long[] places = places(bounds, attempt);
        if (order instanceof NaturalOrder natural) {
            return NumberFilter.of(NumberKeys.of(elements, element, natural), places, bounds);
        }
        int bytes = element.byteSize();
        int[] sorted = new int[places.length];
        try (CopyMemory sample = new CopyMemory(element, places.length)) {
            for (int i = 0; i < places.length; i++) {
                ElementCopy.copy(elements, places[i] * bytes, sample.segment(), (long) i * bytes, bytes);
            }
            indexes.argsort(sample.segment(), MemorySegment.ofArray(sorted));
        }
        ElementComparator comparator =
                key == null ? ElementComparator.of(elements, element, order) : key.comparator(elements);
        long low = bounds.hasLow() ? places[sorted[bounds.low()]] : RecordFilter.NO_BOUND;
        long high = bounds.hasHigh() ? places[sorted[bounds.high()]] : RecordFilter.NO_BOUND;
        return new RecordFilter(elements, key, comparator, low, high);
    }

    /// Returns a random place in each stratum, in ascending order.
    static long[] places(RankBounds bounds, int attempt) {
        SplittableRandom random = new SplittableRandom(attempt);
        long[] places = new long[bounds.sampleCount()];
        for (int i = 0; i < places.length; i++) {
            long begin = begin(bounds, i);
            places[i] = begin + random.nextLong(begin(bounds, i + 1) - begin);
        }
        return places;
    }

    private static long begin(RankBounds bounds, long stratum) {
        return (long) ((double) bounds.count() / bounds.sampleCount() * stratum);
    }
}
