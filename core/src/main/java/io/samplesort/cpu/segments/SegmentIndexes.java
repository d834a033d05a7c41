package io.samplesort.cpu.segments;

import io.samplesort.cpu.leaf.KeySegments;
import io.samplesort.cpu.leaf.LeafSort;
import io.samplesort.cpu.leaf.ShortSegments;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.records.ElementComparator;
import io.samplesort.cpu.records.Gather;
import io.samplesort.cpu.records.IndexMergeSort;
import io.samplesort.cpu.records.SortKey;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Finds the order of the elements in each of some short segments, stably. For one thread.
///
/// The leading bits of each sort key become a number together with the place of the element in its segment. These
/// numbers are all different, and sorted by the kernels. Only elements whose leading bits are equal are compared
/// further. By an order of the user's own, elements are only compared.
final class SegmentIndexes {
    private final ElementType element;
    private final Order order;
    /// Null if the order is a comparator of the user's own.
    private final @Nullable SortKey key;

    private final LeafSort leafSort = new LeafSort();
    private long[] packed = {};
    private int[] indexes = {};
    private int[] spare = {};
    /// Where each segment begins, and where the last one ends, counted from the first element.
    private int[] starts = {};

    private long[] copy = {};
    /// Null until the kernels are loaded, and if there are none.
    private @Nullable KeySegments kernel;
    /// Null until it is needed, and if there is none.
    private @Nullable ShortSegments shortSegments;

    SegmentIndexes(ElementType element, Order order, @Nullable SortKey key) {
        this.element = element;
        this.order = order;
        this.key = key;
    }

    /// Finds the order of the elements.
    ///
    /// @param elements the elements of the segments `first..end`
    /// @return the indexes of these elements in order, counted from the first of them; longer than there are elements,
    ///     and valid until the next call
    int[] sort(MemorySegment elements, SegmentOffsets offsets, long first, long end) {
        int count = (int) (offsets.offset(end) - offsets.offset(first));
        int segments = (int) (end - first);
        reserve(count, segments);
        for (int i = 0; i <= segments; i++) {
            starts[i] = (int) (offsets.offset(first + i) - offsets.offset(first));
        }
        if (key == null) {
            sortByComparator(elements, segments, count);
        } else {
            sortByBits(key, elements, segments, count);
        }
        return indexes;
    }

    private void reserve(int count, int segments) {
        if (indexes.length < count) {
            indexes = new int[count];
            spare = new int[count];
            packed = key == null ? packed : new long[count];
            kernel = null;
        }
        if (starts.length <= segments) {
            starts = new int[segments + 1];
        }
    }

    private void sortByComparator(MemorySegment elements, int segments, int count) {
        for (int i = 0; i < count; i++) {
            indexes[i] = i;
        }
        IndexMergeSort sort = new IndexMergeSort(
                Parallel.ALONE, ElementComparator.of(elements, element, order), indexes, spare, count);
        for (int i = 0; i < segments; i++) {
            if (starts[i + 1] - starts[i] > 1) {
                sort.sort(starts[i], starts[i + 1]);
            }
        }
    }

    private void sortByBits(SortKey whole, MemorySegment elements, int segments, int count) {
        int longest = 0;
        for (int i = 0; i < segments; i++) {
            longest = Math.max(longest, starts[i + 1] - starts[i]);
        }
        SortKey narrow = whole.isPackable(placeBits(longest))
                ? whole
                : whole.narrowedExactly(elements, i -> i, 0, count, Parallel.ALONE, count);
        for (int i = 0; i < segments; i++) {
            int from = starts[i];
            int bits = placeBits(starts[i + 1] - from);
            for (int at = from; at < starts[i + 1]; at++) {
                packed[at] = narrow.packed(elements, at, at - from, bits) ^ Long.MIN_VALUE;
            }
        }
        sortPacked(segments);
        IndexMergeSort ties = new IndexMergeSort(Parallel.ALONE, narrow.comparator(elements), indexes, spare, count);
        for (int i = 0; i < segments; i++) {
            int from = starts[i];
            int to = starts[i + 1];
            int bits = placeBits(to - from);
            long mask = (1L << bits) - 1;
            for (int at = from; at < to; at++) {
                indexes[at] = from + (int) (packed[at] & mask);
            }
            if (!narrow.isPackable(bits)) {
                sortTies(ties, from, to, bits);
            }
        }
    }

    /// Returns how many bits tell the places of a segment of this length apart.
    private static int placeBits(int length) {
        return length < 2 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(length - 1);
    }

    private void sortPacked(int segments) {
        if (kernel == null) {
            SimdKeys keys = SimdKeys.of(packed, 0, SimdKeys.Type.LONG, false);
            kernel = keys == null ? null : keys.segments();
        }
        if (kernel == null) {
            int done = sortShort(segments);
            for (int i = 0; i < segments; i++) {
                if (starts[i + 1] - starts[i] > done) {
                    leafSort.sort(packed, starts[i], starts[i + 1]);
                }
            }
            return;
        }
        for (int first = 0; first < segments; first += KeySegments.MOST_SEGMENTS) {
            int size = Math.min(KeySegments.MOST_SEGMENTS, segments - first);
            long[] offsets = kernel.offsets();
            for (int i = 0; i <= size; i++) {
                offsets[kernel.start() + i] = starts[first + i];
            }
            kernel.sort(size);
        }
    }

    /// Sorts the segments that the kernel for short ones takes, if there is one. Returns the length of the longest that
    /// are sorted then.
    private int sortShort(int segments) {
        if (shortSegments == null) {
            shortSegments = ShortSegments.of(SimdKeys.Type.LONG, false);
            if (shortSegments == null) {
                return 1;
            }
        }
        long[] offsets = shortSegments.offsets();
        for (int first = 0; first < segments; first += ShortSegments.MOST_SEGMENTS) {
            int size = Math.min(ShortSegments.MOST_SEGMENTS, segments - first);
            for (int i = 0; i <= size; i++) {
                offsets[i] = starts[first + i];
            }
            shortSegments.sort(packed, 0, size);
        }
        return shortSegments.most();
    }

    private void sortTies(IndexMergeSort ties, int from, int to, int bits) {
        int begin = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || packed[i] >>> bits != packed[begin] >>> bits) {
                if (i - begin > 1) {
                    ties.sort(begin, i);
                }
                begin = i;
            }
        }
    }

    /// Moves the elements of a column into the order that was found.
    ///
    /// @param column the elements of these segments
    void permute(MemorySegment column, int elementBytes) {
        int count = (int) (column.byteSize() / elementBytes);
        Gather gather = new Gather(Parallel.ALONE, count, indexes, count);
        if (gather.isIdentity()) {
            return;
        }
        int longs = (int) Math.ceilDiv(column.byteSize(), Long.BYTES);
        if (copy.length < longs) {
            copy = new long[longs];
        }
        gather.permute(column, elementBytes, MemorySegment.ofArray(copy));
    }

    long heapBytes() {
        return Long.BYTES * (0L + packed.length + copy.length)
                + Integer.BYTES * (0L + indexes.length + spare.length + starts.length)
                + leafSort.heapBytes();
    }
}
