package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.LeafSort;
import io.samplesort.cpu.leaf.ShortSegments;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.memory.ArrayRange;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.SegmentOffsets;

/// Sorts short segments of numbers, or of keys with one payload, one after the other without the kernels for segments.
/// For one thread.
public final class RangeSort {
    /// With fewer keys, the insertion sort of the JDK takes less time than counting.
    private static final int MOST_BY_INSERTION = 40;

    /// Other doubles are decoded first.
    private static final int MOST_DOUBLES = 64;

    /// The JDK sorts floats by SIMD instructions, and need not decode them.
    private static final int MOST_FLOATS = 1 << 12;

    private final ElementType key;
    private final NaturalOrder order;
    private final Lane lane;
    /// Null until it is needed, and if there is none.
    private ShortSegments shortSegments;

    /// @param payload the type of the payload; null for none
    public RangeSort(ElementType key, ElementType payload, NaturalOrder order) {
        this.key = key;
        this.order = order;
        this.lane = Lanes.make(CpuTuning.DEFAULT, key, payload, order, CpuSorter.laneBytes(key, payload));
    }

    /// Sorts the segments `first..end` of some elements.
    public void sort(Elements elements, SegmentOffsets offsets, long first, long end) {
        Object array = elements.payload() == null ? DirectSort.ownArray(elements.keys(), key) : null;
        if (array == null || !sortShort(elements, array, offsets, first, end)) {
            sort(elements, array, offsets, first, end, 1);
        }
    }

    /// Sorts segments by the kernel for short ones, and the others one after the other. Returns false if there is no
    /// such kernel.
    private boolean sortShort(Elements elements, Object array, SegmentOffsets offsets, long first, long end) {
        if (shortSegments == null) {
            SimdKeys.Type type = CpuSorter.simdType(key, order);
            shortSegments = type == null ? null : ShortSegments.of(type, order.isReversed());
            if (shortSegments == null) {
                return false;
            }
        }
        for (long i = first; i < end; i += ShortSegments.MOST_SEGMENTS) {
            int count = (int) Math.min(ShortSegments.MOST_SEGMENTS, end - i);
            offsets.copyOffsets(i, shortSegments.offsets(), 0, count + 1);
            shortSegments.sort(array, elements.keys().address(), count);
        }
        sort(elements, array, offsets, first, end, shortSegments.most());
        return true;
    }

    /// Sorts the segments that are longer than `done`, which is at least 1, one after the other.
    ///
    /// @param own the array of the keys' type in which they lie; null if there is none
    private void sort(Elements elements, Object own, SegmentOffsets offsets, long first, long end, int done) {
        Object array = own != null && DirectSort.isNatural(key, order) ? own : null;
        long at = array == null ? 0 : elements.keys().address() / key.byteSize();
        int mostByJdk = array == null ? 0 : mostByJdk();
        long from = offsets.offset(first);
        for (long i = first; i < end; i++) {
            long to = offsets.offset(i + 1);
            if (to - from > done) {
                if (to - from <= mostByJdk) {
                    DirectSort.sort(array, (int) (at + from), (int) (at + to));
                } else {
                    sort(elements, from, (int) (to - from));
                }
            }
            from = to;
        }
    }

    /// Sorts a whole array of the keys' type in natural order.
    public void sort(Object array, int length) {
        if (length <= mostByJdk()) {
            DirectSort.sort(array, 0, length);
        } else {
            sort(new Elements(new ArrayRange(array, 0, length).segment(), key.byteSize(), null, 0), 0, length);
        }
    }

    private void sort(Elements elements, long from, int count) {
        if (lane.sortsInPlace(elements)) {
            lane.smallSort(elements, from, count);
        } else {
            lane.reserve(count);
            lane.load(elements, from, 0, count);
            lane.smallSort(count);
            lane.store(0, elements, from, count);
        }
    }

    /// Returns how many keys in an array of their own the JDK sorts at least as fast.
    private int mostByJdk() {
        if (key.byteSize() <= Short.BYTES) {
            return Integer.MAX_VALUE;
        }
        if (key.equals(ElementType.DOUBLE)) {
            return MOST_DOUBLES;
        }
        return key.equals(ElementType.FLOAT) && LeafSort.hasSimd() ? MOST_FLOATS : MOST_BY_INSERTION;
    }

    /// Returns the bytes of heap that this sort holds.
    public long heapBytes() {
        return lane.heapBytes();
    }
}
