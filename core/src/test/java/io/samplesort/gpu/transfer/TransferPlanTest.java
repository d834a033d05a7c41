package io.samplesort.gpu.transfer;

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

    @ParameterizedTest
    @CsvSource({"1, 524288", "16, 8388608", "64, 33554432"})
    void aGroupHasSoManyBlocks(int blocks, long groupBytes) {
        long bytes = 1L << 31;
        TransferPlan plan = TransferPlan.of(bytes, DEFAULT.with("transferBlocks=" + blocks), 16);
        assertThat(plan).isEqualTo(new TransferPlan(bytes, 11, 512 << 10, blocks, 5));
        assertThat(plan.groupBytes()).isEqualTo(groupBytes);
        assertThat(plan.groupBytes(bytes / 2)).isEqualTo(groupBytes);
    }

    /// So the link soon has something to do, and little is left to do when it is done.
    @Test
    void groupsGrowAndShrink() {
        long bytes = 128 << 20;
        TransferPlan plan = TransferPlan.of(bytes, DEFAULT, 16);
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
                    .isEqualTo(new TransferPlan(bytes, 0, 128 << 10, 1, 2));
        }
        assertThat(TransferPlan.of(2 << 20, DEFAULT, 16).helpers()).isEqualTo(1);
    }

    @Test
    void oneThreadSharesWithNobody() {
        TransferPlan alone = new TransferPlan(1L << 31, 0, 512 << 10, 1, 2);
        assertThat(TransferPlan.of(1L << 31, DEFAULT, 1)).isEqualTo(alone);
        assertThat(TransferPlan.of(1L << 31, DEFAULT.with("transferThreads=1"), 16))
                .isEqualTo(alone);
        assertThat(alone.groupBytes(0)).isEqualTo(alone.groupBytes());
    }

    @Test
    void everyFlowHasSeveralGroups() {
        for (long bytes = 2 << 20; bytes <= 1L << 32; bytes += bytes / 7) {
            for (int blocks : new int[] {1, 3, 4, 64}) {
                TransferPlan plan = TransferPlan.of(bytes, DEFAULT.with("transferBlocks=" + blocks), 16);
                assertThat(bytes / plan.groupBytes())
                        .as("groups of %d bytes: %s", bytes, plan)
                        .isGreaterThanOrEqualTo(8);
                assertThat(plan.groupBlocks()).isBetween(1, blocks);
                assertThat(plan.buffers()).isGreaterThanOrEqualTo(3);
            }
        }
    }
}
