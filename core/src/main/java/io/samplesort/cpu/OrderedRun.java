package io.samplesort.cpu;

import io.samplesort.ElementType;
import io.samplesort.Order;
import java.lang.foreign.MemorySegment;

/// Whether elements are in order.
public final class OrderedRun {
    private OrderedRun() {}

    /// Whether none of `elements` comes before the one at its left.
    public static boolean isSorted(MemorySegment elements, ElementType type, Order order) {
        return elements.byteSize() <= type.byteSize();
    }
}
