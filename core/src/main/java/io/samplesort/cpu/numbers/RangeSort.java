package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.LeafSort;
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

    /// @param payload the type of the payload; null for none
    public RangeSort(ElementType key, ElementType payload, NaturalOrder order) {
        this.key = key;
        this.order = order;
        this.lane = Lanes.make(CpuTuning.DEFAULT, key, payload, order, CpuSorter.laneBytes(key, payload));
    }

    /// Sorts the segments `first..end` of some elements.
    public void sort(Elements elements, SegmentOffsets offsets, long first, long end) {
        Object array = elements.payload() == null ? DirectSort.naturalArray(elements.keys(), key, order) : null;
        long at = array == null ? 0 : elements.keys().address() / key.byteSize();
        int mostByJdk = array == null ? 1 : mostByJdk();
        long from = offsets.offset(first);
        for (long i = first; i < end; i++) {
            long to = offsets.offset(i + 1);
            if (to - from > mostByJdk) {
                sort(elements, from, (int) (to - from));
            } else if (to - from > 1) {
                DirectSort.sort(array, (int) (at + from), (int) (at + to));
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
