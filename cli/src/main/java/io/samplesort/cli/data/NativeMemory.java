package io.samplesort.cli.data;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Memory for elements of any type.
public final class NativeMemory {
    private NativeMemory() {}

    /// Returns memory that is 0 and aligned for every type, also where it is empty.
    public static MemorySegment allocate(Arena arena, long byteSize) {
        return arena.allocate(Math.max(1, byteSize), ValueLayout.JAVA_LONG.byteAlignment())
                .asSlice(0, byteSize);
    }
}
