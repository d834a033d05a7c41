package io.samplesort.cpu.select;

import io.samplesort.memory.LargeMemory;
import io.samplesort.types.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory for a copy of elements. Numbers lie in an array of their type, on which the kernels of the CPU engine work
/// at once.
public final class CopyMemory implements AutoCloseable {
    /// Other memory is aligned for all values, as comparators expect it.
    private static final int ALIGNMENT = 16;

    private static final int LARGE_BYTES = 16 << 20;
    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8L;

    private final MemorySegment segment;
    /// Null if the memory is an array.
    private final Arena arena;

    private boolean isClosed;

    /// @throws OutOfMemoryError if there is too little memory
    public CopyMemory(ElementType type, long count) {
        if (type.isPrimitive() && count <= LONGEST_ARRAY) {
            segment = array(type, (int) count);
            arena = null;
            return;
        }
        arena = Arena.ofShared();
        long bytes = count * type.byteSize();
        try {
            segment = bytes < LARGE_BYTES ? arena.allocate(bytes, ALIGNMENT) : LargeMemory.allocate(bytes, arena);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    private static MemorySegment array(ElementType type, int count) {
        return switch (type.name()) {
            case "byte" -> MemorySegment.ofArray(new byte[count]);
            case "short" -> MemorySegment.ofArray(new short[count]);
            case "char" -> MemorySegment.ofArray(new char[count]);
            case "int" -> MemorySegment.ofArray(new int[count]);
            case "long" -> MemorySegment.ofArray(new long[count]);
            case "float" -> MemorySegment.ofArray(new float[count]);
            default -> MemorySegment.ofArray(new double[count]);
        };
    }

    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (arena != null) {
            arena.close();
        }
    }
}
