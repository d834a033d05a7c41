package io.samplesort.gpu.launch;

import io.samplesort.gpu.code.KernelStructs.ElementArray;
import io.samplesort.gpu.code.StructValues;

/// Elements in device memory, which kernels take as the struct `ElementArray` of primitives.cuh.
///
/// @param keys     device address of the keys
/// @param payloads device address of the payloads, 0 if there are none; in sorts by index what the kernels take in its
///     place (see there)
public record DeviceElements(long keys, long payloads) {
    /// Returns elements whose columns lie at these addresses.
    ///
    /// @param columns of the keys, and of the payloads if there are any
    public static DeviceElements of(long[] columns) {
        return new DeviceElements(columns[0], columns.length > 1 ? columns[1] : 0);
    }

    /// Returns the struct.
    public long[] fields() {
        return new StructValues<>(ElementArray.values())
                .set(ElementArray.KEYS, keys)
                .set(ElementArray.PAYLOADS, payloads)
                .toArray();
    }

    // Written out, since Java generates the `equals` of a record at its first call, which takes milliseconds.
    public boolean isSame(DeviceElements other) {
        return keys == other.keys && payloads == other.payloads;
    }
}
