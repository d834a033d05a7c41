package io.samplesort.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/// Memory outside of the heap that its owner keeps from one use to the next. Its content is unspecified, all threads
/// may use it, and it may be larger than an array can be. Only one thread at a time may reserve or release it.
public final class KeptMemory {
    private final Supplier<Arena> arenas;
    /// Null if there is no memory.
    private Arena arena;

    private MemorySegment segment = MemorySegment.NULL;

    public KeptMemory() {
        this(Arena::ofShared);
    }

    /// @param arenas makes shared arenas
    KeptMemory(Supplier<Arena> arenas) {
        this.arenas = arenas;
    }

    /// Makes room for this many bytes. Memory that is too small is given back first, so that old and new memory need
    /// not exist at once.
    ///
    /// @throws OutOfMemoryError if the system refuses this much memory; in that case none is kept
    public void reserve(long bytes) {
        if (segment.byteSize() >= bytes) {
            return;
        }
        release();
        Arena next = arenas.get();
        try {
            segment = LargeMemory.allocate(bytes, next);
        } catch (RuntimeException | Error e) {
            next.close();
            throw e;
        }
        arena = next;
    }

    /// Returns all of the memory, which may be more than the last call of [#reserve] asked for.
    public MemorySegment segment() {
        return segment;
    }

    /// Gives the memory back. A second call does nothing.
    public void release() {
        segment = MemorySegment.NULL;
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }
}
