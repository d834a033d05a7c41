package io.samplesort.cpu.numbers;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;

/// Sorts short ranges of numbers, or of keys with one payload, one after the other without kernels. For one thread.
public final class RangeSort {
    private final ElementType key;
    private final NaturalOrder order;
    private final Lane lane;

    /// @param payload the type of the payload; null for none
    public RangeSort(ElementType key, ElementType payload, NaturalOrder order) {
        this.key = key;
        this.order = order;
        this.lane = Lanes.make(CpuTuning.DEFAULT, key, payload, order, CpuSorter.laneBytes(key, payload));
    }

    /// Sorts `count` elements from `from` on.
    public void sort(Elements elements, long from, int count) {
        if (count < 2) {
            return;
        }
        if (elements.payload() == null && trySort(elements, from, count)) {
            return;
        }
        if (lane.sortsInPlace(elements)) {
            lane.smallSort(elements, from, count);
            return;
        }
        lane.reserve(count);
        lane.load(elements, from, 0, count);
        lane.smallSort(count);
        lane.store(0, elements, from, count);
    }

    /// Returns the bytes of heap that this sort holds.
    public long heapBytes() {
        return lane.heapBytes();
    }

    /// Has the JDK sort keys that need not be decoded.
    private boolean trySort(Elements elements, long from, int count) {
        int bytes = elements.keyBytes();
        boolean isSortedByJdk = count <= DirectSort.MOST_TINY || bytes <= Short.BYTES;
        return isSortedByJdk
                && DirectSort.isNatural(key, order)
                && DirectSort.trySort(elements.keys().asSlice(from * bytes, (long) count * bytes), key, order);
    }
}
