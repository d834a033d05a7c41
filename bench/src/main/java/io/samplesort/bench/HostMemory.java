package io.samplesort.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Native memory of one measurement after another. It grows to the largest asked for and is kept until closed. It is
/// C's,
/// since an arena has one thread write zeros to all of it, which for 2^30 elements takes longer than all that many
/// threads then do with them.
final class HostMemory implements AutoCloseable {
    /// Payloads begin at a cache line's multiple from the keys.
    private static final long ALIGNMENT = 64;

    /// `void* malloc(size_t size)`
    private static final MethodHandle MALLOC = function("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
    /// `void free(void* ptr)`
    private static final MethodHandle FREE = function("free", FunctionDescriptor.ofVoid(ADDRESS));

    private Arena arena = Arena.ofShared();
    private MemorySegment memory = MemorySegment.NULL;

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
    }

    /// Two segments of these sizes in bytes, of unspecified content, valid until the next call.
    ///
    /// @throws OutOfMemoryError if there is not that much
    Pair pair(long keyBytes, long payloadBytes) {
        long payloadOffset = (keyBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        long bytes = payloadOffset + payloadBytes;
        if (memory.byteSize() < bytes) {
            // First the old, then the new: never both.
            memory = MemorySegment.NULL;
            arena.close();
            arena = Arena.ofShared();
            memory = allocate(bytes, arena);
        }
        return new Pair(memory.asSlice(0, keyBytes), memory.asSlice(payloadOffset, payloadBytes));
    }

    private static MemorySegment allocate(long bytes, Arena owner) {
        MemorySegment memory;
        try {
            memory = (MemorySegment) MALLOC.invokeExact(bytes);
        } catch (Throwable e) {
            throw new AssertionError("malloc could not be called", e);
        }
        if (memory.address() == 0) {
            throw new OutOfMemoryError("cannot allocate " + bytes + " bytes of host memory");
        }
        return memory.reinterpret(bytes, owner, HostMemory::free);
    }

    private static void free(MemorySegment memory) {
        try {
            FREE.invokeExact(memory);
        } catch (Throwable e) {
            throw new AssertionError("free could not be called", e);
        }
    }

    @Override
    public void close() {
        arena.close();
    }

    record Pair(MemorySegment keys, MemorySegment payloads) {}
}
