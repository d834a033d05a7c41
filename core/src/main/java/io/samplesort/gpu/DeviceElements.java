package io.samplesort.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Elements in device memory: the host's face of `ElementArray` in primitives.cuh.
///
/// @param keys     device address of the keys
/// @param payloads device address of the payloads, 0 where there are none; in sorts by index what the kernels take in
///     its place, see there
record DeviceElements(long keys, long payloads) {
    MemorySegment toStruct(Arena arena) {
        MemorySegment struct = arena.allocate(2 * Long.BYTES, Long.BYTES);
        struct.setAtIndex(ValueLayout.JAVA_LONG, 0, keys);
        struct.setAtIndex(ValueLayout.JAVA_LONG, 1, payloads);
        return struct;
    }
}
