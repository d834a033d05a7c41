package io.samplesort.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class LargeMemoryTest {
    @Test
    void livesAsLongAsItsArena() {
        MemorySegment[] segments = new MemorySegment[3];
        try (Arena arena = Arena.ofShared()) {
            for (int i = 0; i < segments.length; i++) {
                segments[i] = LargeMemory.allocate(10_000_001L * i, arena);
                segments[i].fill((byte) i);
            }
            assertThat(segments[0].byteSize()).isZero();
            for (MemorySegment segment : segments) {
                assertThat(segment.address() % (2 << 20)).isZero();
            }
            assertThat(segments[1].get(ValueLayout.JAVA_BYTE, 10_000_000)).isEqualTo((byte) 1);
            assertThat(segments[2].get(ValueLayout.JAVA_BYTE, 20_000_001)).isEqualTo((byte) 2);
        }
        assertThatThrownBy(() -> segments[1].get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatNoSystemHasIsRefused() {
        try (Arena arena = Arena.ofShared()) {
            assertThatThrownBy(() -> LargeMemory.allocate(1L << 60, arena))
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessageContaining("refuses");
        }
    }
}
