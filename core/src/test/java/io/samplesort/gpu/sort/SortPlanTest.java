package io.samplesort.gpu.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.sort.WorkspaceLayout.Kind;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SortPlanTest {
    private static final Tuning TUNING = Tuning.defaultFor(ElementType.LONG, null);

    @Test
    void passesGrowWithTheLogarithmOfTheSize() {
        assertThat(SortPlan.of(0, TUNING).passCount()).isZero();
        assertThat(SortPlan.of(TUNING.smallSortLimit(), TUNING).passCount()).isZero();
        assertThat(SortPlan.of(TUNING.smallSortLimit() + 1, TUNING).passCount()).isEqualTo(1);
        assertThat(SortPlan.of(1L << 20, TUNING).passCount()).isEqualTo(1);
        assertThat(SortPlan.of(1L << 28, TUNING).passCount()).isEqualTo(2);
        assertThat(SortPlan.of(1L << 34, TUNING).passCount()).isEqualTo(3);
    }

    @Test
    void bucketsMeetTheTarget() {
        for (long n = TUNING.smallSortLimit() + 1; n < 1L << 36; n = n * 5 / 3) {
            SortPlan plan = SortPlan.of(n, TUNING);
            long buckets = plan.segmentCount(plan.passCount());
            assertThat(n / buckets).as("mean bucket at n = %d", n).isLessThanOrEqualTo(TUNING.bucketTarget());
            for (int pass = 0; pass < plan.passCount(); pass++) {
                assertThat(plan.bucketCount(pass)).isBetween(2, TUNING.maxBucketCount());
            }
        }
    }

    /// Smaller keys are counted.
    private static final List<ElementType> MOVED =
            List.of(ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);

    @Test
    void exactLayoutNeedsTheInputOnceAndAFewPercent() {
        for (ElementType key : MOVED) {
            assertThat(extraMemory(key, Kind.EXACT)).as("%s", key).isBetween(1.0, 1.0 + 0.3 / key.byteSize());
        }
    }

    @Test
    void fastLayoutNeedsTheInputForEachPassAndSlack() {
        for (ElementType key : MOVED) {
            assertThat(extraMemory(key, Kind.FAST)).as("%s", key).isBetween(2.0, 8.0);
        }
    }

    /// From 2^24 elements on; those of fewer are full of slack.
    @Test
    void groupedLayoutNeedsOnlyAThirdMoreThanTheInputInFewGroups() {
        for (ElementType key : MOVED) {
            for (ElementType payload : Arrays.asList(null, ElementType.INT, ElementType.LONG)) {
                for (boolean isStable : new boolean[] {false, true}) {
                    KernelElement element = KernelElement.of(
                            key, payload == null ? List.of() : List.of(payload), Order.natural(), isStable);
                    for (int log = 24; log <= 32; log++) {
                        WorkspaceLayout layout = grouped(element, 1L << log);
                        double bytes = element.keyBytes() + element.payloadBytes();
                        assertThat(layout.byteSize / bytes / (1L << log))
                                .as("%s with %s at 2^%d", key, payload, log)
                                .isBetween(1.0, 1.3);
                        boolean usesResult = element.payloadBytes() == 0 || element.movesPairs();
                        assertThat(layout.groupCount())
                                .as("groups of %s with %s at 2^%d", key, payload, log)
                                .isBetween(4, usesResult ? 8 : 13);
                    }
                }
            }
        }
    }

    private static WorkspaceLayout grouped(KernelElement element, long count) {
        Tuning tuning = Tuning.defaultFor(element.keyBytes(), element.payloadBytes(), element.keepsOrder(), "sm_90");
        return new WorkspaceLayout(SortPlan.of(count, tuning), element, tuning, Kind.GROUPED);
    }

    @Test
    void countedValuesNeedNothingForElements() {
        for (ElementType key : List.of(ElementType.BYTE, ElementType.SHORT, ElementType.CHAR)) {
            assertThat(extraMemory(key, Kind.COUNTED)).as("%s", key).isLessThan(0.001);
        }
    }

    private static double extraMemory(ElementType key, Kind kind) {
        Tuning tuning = Tuning.defaultFor(key, null);
        long n = 1L << 30;
        WorkspaceLayout layout = new WorkspaceLayout(
                SortPlan.of(n, tuning), KernelElement.of(key, List.of(), Order.natural(), false), tuning, kind);
        return (double) layout.byteSize / (n * key.byteSize());
    }
}
