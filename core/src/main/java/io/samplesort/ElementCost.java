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
    /// @param device where a sort may run; `auto` may always be the CPU
    static ElementCost of(Device device, ElementType key, List<ElementType> payloads, Order order, boolean isStable) {
        int bytes = key.byteSize();
        int largest = bytes;
        for (ElementType payload : payloads) {
            bytes += payload.byteSize();
            largest = Math.max(largest, payload.byteSize());
        }
        boolean isInPlace = device.kind() == Device.Kind.GPU
                || (!isStable
                        && order instanceof NaturalOrder
                        && payloads.size() <= 1
                        && payloads.stream().allMatch(ElementType::isPrimitive));
        return isInPlace
                ? new ElementCost(bytes, 0, 0, Long.MAX_VALUE)
                : new ElementCost(
                        bytes,
                        IndexedCpuSorter.nativeBytesPerElement(order, largest),
                        IndexedCpuSorter.heapBytesPerElement(order),
                        IndexedCpuSorter.MAX_COUNT);
    }
}
