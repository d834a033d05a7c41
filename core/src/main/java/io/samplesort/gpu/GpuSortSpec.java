package io.samplesort.gpu;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.util.List;

/// What an engine sorts.
///
/// @param key      the type of the elements that are compared
/// @param payloads the types of the payloads, each in an array of its own
/// @param isStable whether equal elements keep their order
public record GpuSortSpec(ElementType key, List<ElementType> payloads, Order order, boolean isStable) {
    KernelElement element() {
        return KernelElement.of(key, payloads, order, isStable);
    }

    /// Returns the bytes of an element in each column: first the keys, then the payloads.
    int[] columnBytes() {
        int[] bytes = new int[1 + payloads.size()];
        bytes[0] = key.byteSize();
        for (int i = 0; i < payloads.size(); i++) {
            bytes[i + 1] = payloads.get(i).byteSize();
        }
        return bytes;
    }
}
