package io.samplesort.gpu.plan;

import io.samplesort.gpu.code.KernelStructs.ElementArray;
import io.samplesort.gpu.code.StructValues;

/// Elements in device memory, which kernels take as the struct `ElementArray` of primitives.cuh.
///
/// @param keys     device address of the keys
/// @param payloads device address of the payloads, 0 where there are none; in sorts by index what the kernels take in
///     its place (see there)
public record DeviceElements(long keys, long payloads) {
    /// Returns the struct.
    public long[] fields() {
        return new StructValues<>(ElementArray.values())
                .set(ElementArray.KEYS, keys)
                .set(ElementArray.PAYLOADS, payloads)
                .toArray();
    }

    // Written out, since Java makes the method of a record when it is first called, which takes milliseconds.
    public boolean isSame(DeviceElements other) {
        return keys == other.keys && payloads == other.payloads;
    }
}
