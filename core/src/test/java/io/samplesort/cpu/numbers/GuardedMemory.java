package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A segment with bytes before and after it that must not be touched.
public record GuardedMemory(MemorySegment whole) {
    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = 0x5a;

    public static GuardedMemory inArray(long bytes) {
        return new GuardedMemory(MemorySegment.ofArray(new byte[Math.toIntExact(bytes + 2 * GUARD_BYTES)])
                .fill(GUARD));
    }

    public static GuardedMemory in(Arena arena, long bytes) {
        return new GuardedMemory(arena.allocate(bytes + 2 * GUARD_BYTES, 64).fill(GUARD));
    }

    public MemorySegment segment() {
        return whole.asSlice(GUARD_BYTES, whole.byteSize() - 2 * GUARD_BYTES);
    }

    public void check(String what) {
        MemorySegment guard = MemorySegment.ofArray(new byte[GUARD_BYTES]).fill(GUARD);
        assertThat(whole.asSlice(0, GUARD_BYTES).mismatch(guard))
                .as("before %s", what)
                .isEqualTo(-1);
        assertThat(whole.asSlice(whole.byteSize() - GUARD_BYTES).mismatch(guard))
                .as("after %s", what)
                .isEqualTo(-1);
    }
}
