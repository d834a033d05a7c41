package io.samplesort.gpu.sort;

/// Elements in device memory: the host's face of `ElementArray` in primitives.cuh.
///
/// @param keys     device address of the keys
/// @param payloads device address of the payloads, 0 where there are none; in sorts by index what the kernels take in
///     its place, see there
public record DeviceElements(long keys, long payloads) {
    /// As a kernel's argument.
    long[] fields() {
        return new long[] {keys, payloads};
    }
}
