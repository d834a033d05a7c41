package io.samplesort.bench.workload;

import io.samplesort.memory.LargeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Native host memory that one measurement after another uses. It grows to the largest size that was asked for, and is
/// kept until it is closed.
public final class ReusedMemory implements AutoCloseable {
    /// The distance from the first key to the first payload is a multiple of this, the size of a cache line.
    private static final long ALIGNMENT = 64;

    private Arena arena = Arena.ofShared();
    private MemorySegment memory = MemorySegment.NULL;

    /// Returns two segments of these sizes in bytes. Their content is unspecified, and they are valid until the next
    /// call.
    ///
    /// @throws OutOfMemoryError if the host has too little memory
    public Pair pair(long keyBytes, long payloadBytes) {
        long payloadOffset = (keyBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        long bytes = payloadOffset + payloadBytes;
        if (memory.byteSize() < bytes) {
            // The old memory is freed before the new one is allocated, so that both never exist at once.
            memory = MemorySegment.NULL;
            arena.close();
            arena = Arena.ofShared();
            memory = LargeMemory.allocate(bytes, arena);
        }
        return new Pair(memory.asSlice(0, keyBytes), memory.asSlice(payloadOffset, payloadBytes));
    }

    @Override
    public void close() {
        arena.close();
    }

    /// Host memory for keys and for payloads.
    public record Pair(MemorySegment keys, MemorySegment payloads) {}
}
