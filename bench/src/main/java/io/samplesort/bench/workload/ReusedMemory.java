package io.samplesort.bench.workload;

import io.samplesort.runs.LargeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Native memory of one measurement after another. It grows to the largest asked for and is kept until closed.
public final class ReusedMemory implements AutoCloseable {
    /// Payloads begin at a cache line's multiple from the keys.
    private static final long ALIGNMENT = 64;

    private Arena arena = Arena.ofShared();
    private MemorySegment memory = MemorySegment.NULL;

    /// Two segments of these sizes in bytes, of unspecified content, valid until the next call.
    ///
    /// @throws OutOfMemoryError if there is not that much
    public Pair pair(long keyBytes, long payloadBytes) {
        long payloadOffset = (keyBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        long bytes = payloadOffset + payloadBytes;
        if (memory.byteSize() < bytes) {
            // First the old, then the new: never both.
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

    public record Pair(MemorySegment keys, MemorySegment payloads) {}
}
