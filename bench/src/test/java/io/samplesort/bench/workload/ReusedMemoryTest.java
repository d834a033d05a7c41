package io.samplesort.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class ReusedMemoryTest {
    @Test
    void growsAndKeepsKeysAndPayloadsApart() {
        try (ReusedMemory memory = new ReusedMemory()) {
            ReusedMemory.Pair small = memory.pair(100, 0);
            assertThat(small.keys().byteSize()).isEqualTo(100);
            assertThat(small.payloads().byteSize()).isZero();
            ReusedMemory.Pair large = memory.pair(1001, 77);
            large.keys().fill((byte) 1);
            large.payloads().fill((byte) 2);
            assertThat(large.keys().toArray(ValueLayout.JAVA_BYTE))
                    .hasSize(1001)
                    .containsOnly(1);
            assertThat(large.payloads().toArray(ValueLayout.JAVA_BYTE))
                    .hasSize(77)
                    .containsOnly(2);
            assertThat(memory.pair(1001, 77).keys().address())
                    .isEqualTo(large.keys().address());
        }
    }
}
