package io.samplesort;

import io.samplesort.cpu.IndexedCpuSorter;
import java.util.List;

/// The host memory that a sort takes for each element.
///
/// @param elementBytes of the element and its payloads
/// @param nativeBytes  beside them, native
/// @param heapBytes    beside them, on the Java heap
/// @param maxCount     how many elements one sort can take
record ElementCost(int elementBytes, int nativeBytes, int heapBytes, long maxCount) {
    /// What sorts on a GPU take, or those on the CPU that move the elements themselves: nothing beside them.
    static ElementCost inPlace(ElementType key, List<ElementType> payloads) {
        int bytes = key.byteSize();
        for (ElementType payload : payloads) {
            bytes += payload.byteSize();
        }
        return new ElementCost(bytes, 0, 0, Long.MAX_VALUE);
    }

    /// What sorts on the CPU take that sort indexes.
    static ElementCost byIndex(ElementType key, List<ElementType> payloads, Order order) {
        int largest = key.byteSize();
        for (ElementType payload : payloads) {
            largest = Math.max(largest, payload.byteSize());
        }
        return new ElementCost(
                inPlace(key, payloads).elementBytes(),
                IndexedCpuSorter.nativeBytesPerElement(order, largest),
                IndexedCpuSorter.heapBytesPerElement(order),
                IndexedCpuSorter.MAX_COUNT);
    }

    /// The same for sorts that take at most so many elements.
    ElementCost upTo(long count) {
        return new ElementCost(elementBytes, nativeBytes, heapBytes, Math.min(maxCount, count));
    }
}
