package io.samplesort.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptMemoryTest {
    /// More than any system has.
    private static final long TOO_MUCH = 1L << 60;

    private final List<Arena> arenas = new ArrayList<>();
    private final KeptMemory memory = new KeptMemory(() -> {
        arenas.add(Arena.ofShared());
        return arenas.getLast();
    });

    private List<Boolean> alive() {
        return arenas.stream().map(arena -> arena.scope().isAlive()).toList();
    }

    @Test
    void growsAndIsKept() {
        assertThat(memory.segment().byteSize()).isZero();
        memory.reserve(0);
        assertThat(arenas).isEmpty();
        memory.reserve(100);
        MemorySegment first = memory.segment();
        memory.reserve(60);
        assertThat(memory.segment()).isEqualTo(first);
        memory.reserve(200);
        assertThat(memory.segment().byteSize()).isEqualTo(200);
        assertThat(alive()).containsExactly(false, true);
        memory.release();
        memory.release();
        assertThat(memory.segment().byteSize()).isZero();
        assertThat(alive()).containsExactly(false, false);
    }

    @Test
    void nothingStaysOpenWhereTheSystemRefuses() {
        memory.reserve(100);
        assertThatThrownBy(() -> memory.reserve(TOO_MUCH)).isInstanceOf(OutOfMemoryError.class);
        assertThat(alive()).containsExactly(false, false);
        assertThat(memory.segment().byteSize()).isZero();
        memory.reserve(10);
        assertThat(memory.segment().byteSize()).isEqualTo(10);
        memory.release();
        assertThat(alive()).containsExactly(false, false, false);
    }
}
