package io.samplesort.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransferPlanTest {
    private static final Tuning DEFAULT = Tuning.defaultFor(ElementType.LONG, null);

    /// Threads that sleep at once.
    private static final Tuning SLEEPING = DEFAULT.with("transferAwakeMicros=0,transferBytes=2097152,transferBlocks=4");

    @ParameterizedTest
    @CsvSource({
        // An array of 2^28 longs: all buffers together have the same size, however many blocks a copy carries.
        "4, 6, 8388608",
        "1, 24, 2097152",
        "2, 12, 4194304",
        "8, 3, 16777216",
        // There are never fewer buffers than can be filled, sent and begun at once.
        "64, 3, 134217728",
    })
    void buffersHoldTwoBlocksOfEachThread(int blocks, int buffers, long groupBytes) {
        long bytes = 1L << 31;
        TransferPlan plan = TransferPlan.of(bytes, SLEEPING.with("transferBlocks=" + blocks), 16);
        assertThat(plan).isEqualTo(new TransferPlan(bytes, 11, 2 << 20, blocks, buffers, 0));
        assertThat(plan.groupBytes(0)).isEqualTo(groupBytes);
        assertThat(plan.blockBytes(groupBytes)).isEqualTo(2 << 20);
        assertThat(plan.groupBytes()).isEqualTo(groupBytes);
    }

    /// So the link soon has something to do, and little is left to do when it is done.
    @Test
    void groupsGrowAndShrink() {
        long bytes = 128 << 20;
        TransferPlan plan = TransferPlan.of(bytes, DEFAULT, 16);
        assertThat(plan).isEqualTo(new TransferPlan(bytes, 11, 512 << 10, 16, 5, 500_000));
        List<Long> groups = new ArrayList<>();
        long begun = 0;
        while (begun < bytes) {
            long group = Math.min(plan.groupBytes(begun), bytes - begun);
            assertThat(plan.blockBytes(group) * 12).isGreaterThanOrEqualTo(Math.min(group, 12 * 512 << 10));
            groups.add(group);
            begun += group;
        }
        long least = 12 * 128 << 10;
        assertThat(groups.getFirst()).isEqualTo(least);
        assertThat(groups.getLast()).isLessThanOrEqualTo(least);
        assertThat(groups).contains(8L << 20);
        assertThat(groups).hasSizeLessThan(30);
        assertThat(plan.blockBytes(least)).isEqualTo(128 << 10);
        assertThat(plan.groupBytes(2 * bytes)).as("more bytes than planned").isEqualTo(least);
    }

    @Test
    void fewBytesAreLeftToOneThread() {
        for (long bytes : new long[] {0, 1, 4096, 1 << 20, (2 << 20) - 1}) {
            assertThat(TransferPlan.of(bytes, DEFAULT, 16))
                    .as("%d bytes", bytes)
                    .isEqualTo(new TransferPlan(bytes, 0, 128 << 10, 1, 2, 0));
        }
        assertThat(TransferPlan.of(2 << 20, DEFAULT, 16).helpers()).isEqualTo(1);
    }

    @Test
    void oneThreadSharesWithNobody() {
        assertThat(TransferPlan.of(1L << 31, SLEEPING, 1)).isEqualTo(new TransferPlan(1L << 31, 0, 2 << 20, 1, 2, 0));
        assertThat(TransferPlan.of(1L << 31, SLEEPING.with("transferThreads=1"), 16))
                .isEqualTo(new TransferPlan(1L << 31, 0, 2 << 20, 1, 2, 0));
    }

    @Test
    void everyFlowHasSeveralGroups() {
        for (long bytes = 2 << 20; bytes <= 1L << 32; bytes += bytes / 7) {
            for (int blocks : new int[] {1, 3, 4, 64}) {
                TransferPlan plan = TransferPlan.of(bytes, SLEEPING.with("transferBlocks=" + blocks), 16);
                assertThat(bytes / plan.groupBytes())
                        .as("groups of %d bytes: %s", bytes, plan)
                        .isGreaterThanOrEqualTo(8);
                assertThat(plan.groupBlocks()).isBetween(1, blocks);
                assertThat(plan.buffers()).isGreaterThanOrEqualTo(3);
            }
        }
    }
}
