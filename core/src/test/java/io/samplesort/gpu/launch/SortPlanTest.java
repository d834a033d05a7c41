package io.samplesort.gpu.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.sort.ByteSort;
import io.samplesort.gpu.sort.CountedSort;
import io.samplesort.gpu.sort.DividingSort;
import io.samplesort.gpu.sort.OneBlockSort;
import io.samplesort.gpu.sort.SortStrategy;
import io.samplesort.gpu.sort.Strategies;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

    /// With a bucket around each border, each of two GPUs has 30 or 31 of 64 buckets for its elements. That must not
    /// halve the buckets in the end.
    @Test
    void bucketsOfSeveralGpusAreAsLargeAsThoseOfOne() {
        for (int log = 28; log <= 32; log++) {
            long n = 1L << log;
            SortPlan alone = SortPlan.of(n, TUNING);
            for (int segments : new int[] {30, 31, 32}) {
                SortPlan behind = SortPlan.ofSegments(n, segments, TUNING);
                assertThat(behind.segmentCount(behind.passCount()))
                        .as("buckets of 2^%d elements behind %d segments", log, segments)
                        .isEqualTo(Math.max(alone.segmentCount(alone.passCount()), 1L << (log - 12)));
            }
        }
        // An eighth more, and no more than that.
        assertThat(SortPlan.ofSegments(9 << 20, 8, TUNING).bucketCount(1)).isEqualTo(1 << 8);
        assertThat(SortPlan.ofSegments((9 << 20) + 8, 8, TUNING).segmentCount(3))
                .isEqualTo(1 << 3 + 9);
    }

    /// Smaller keys are counted.
    private static final List<ElementType> MOVED =
            List.of(ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);

    /// From 2^24 elements on; fewer may take a part of the device's memory that is more than that.
    @Test
    void aFewGroupsNeedOnlyAThirdMoreThanTheInput() {
        for (ElementType key : MOVED) {
            for (ElementType payload : Arrays.asList(null, ElementType.INT, ElementType.LONG)) {
                for (boolean isStable : new boolean[] {false, true}) {
                    KernelElement element = KernelElement.of(
                            key, payload == null ? List.of() : List.of(payload), Order.natural(), isStable);
                    for (int log = 24; log <= 33; log++) {
                        long count = 1L << log;
                        int groups = fewestGroups(element, count, 1.3);
                        boolean usesResult = element.payloadBytes() == 0 || element.movesPairs();
                        assertThat(groups)
                                .as("groups of %s with %s at 2^%d", key, payload, log)
                                .isBetween(2, usesResult ? 7 : 13);
                    }
                }
            }
        }
    }

    /// Without groups, the input for each pass and slack.
    @Test
    void memoryFallsWithTheNumberOfGroups() {
        for (ElementType key : MOVED) {
            KernelElement element = KernelElement.of(key, List.of(), Order.natural(), false);
            double before = 8;
            for (int groups = 0; groups <= 5; groups++) {
                double memory = extraMemory(element, 1L << 28, groups);
                assertThat(memory).as("%s in %d groups", key, groups).isBetween(1.0, before);
                before = memory;
            }
            assertThat(before).as("%s in 5 groups", key).isLessThan(1.15);
        }
    }

    private static int fewestGroups(KernelElement element, long count, double most) {
        for (int groups = 0; ; groups++) {
            if (extraMemory(element, count, groups) <= most) {
                return groups;
            }
        }
    }

    /// Returns what a sort takes in addition to its input, as a multiple of it.
    private static double extraMemory(KernelElement element, long count, int groups) {
        Tuning tuning = Tuning.defaultFor(element.keyBytes(), element.payloadBytes(), element.keepsOrder(), "sm_90");
        DividingSort sort = new DividingSort(SortPlan.of(count, tuning), element, tuning, groups);
        return (double) sort.byteSize() / count / (element.keyBytes() + element.payloadBytes());
    }

    /// A chunk of host memory may be smaller than the others, and its sort takes the same memory.
    @Test
    void fewerElementsTakeNoMoreMemory() {
        Random random = new Random(3);
        for (int i = 0; i < 2000; i++) {
            KernelElement element = KernelElement.of(
                    MOVED.get(random.nextInt(MOVED.size())),
                    random.nextBoolean() ? List.of() : List.of(ElementType.INT),
                    Order.natural(),
                    random.nextBoolean());
            Tuning tuning =
                    Tuning.defaultFor(element.keyBytes(), element.payloadBytes(), element.keepsOrder(), "sm_90");
            long count = random.nextLong(1, 1L << random.nextInt(1, 34));
            SortPlan plan = SortPlan.of(count, tuning);
            if (plan.passCount() == 0) {
                continue;
            }
            int groups = random.nextInt(Rooms.mostGroups(plan) + 1);
            DividingSort sort = new DividingSort(plan, element, tuning, groups);
            long fewer = random.nextLong(1, count + 1);
            assertThat(sort.forFewer(fewer).byteSize())
                    .as("%d instead of %d of %s in %d groups", fewer, count, element, groups)
                    .isLessThanOrEqualTo(sort.byteSize());
        }
    }

    @Test
    void countedValuesNeedNothingForElements() {
        for (ElementType key : List.of(ElementType.BYTE, ElementType.SHORT, ElementType.CHAR)) {
            KernelElement element = KernelElement.of(key, List.of(), Order.natural(), false);
            Tuning tuning = Tuning.defaultFor(key, null);
            assertThat(new CountedSort(1L << 30, element, tuning).byteSize())
                    .as("%s", key)
                    .isLessThan(2 << 20);
        }
    }

    /// In addition to the payloads (and a byte of each key of 16 bits), there are only the counts.
    @Test
    void elementsThatAreMovedByValueNeedRoomForPayloads() {
        for (ElementType key : List.of(ElementType.BYTE, ElementType.SHORT, ElementType.CHAR)) {
            for (ElementType payload : List.of(ElementType.BYTE, ElementType.INT, ElementType.LONG)) {
                KernelElement element = KernelElement.of(key, List.of(payload), Order.natural(), false);
                Tuning tuning = Tuning.defaultFor(key, payload);
                Strategies strategies = new Strategies(null, element, tuning, Long.MAX_VALUE);
                long count = 1L << 30;
                SortStrategy sort = strategies.smallest(count, count * 13 / 10 * (key.byteSize() + payload.byteSize()));
                assertThat(sort).as("%s+%s", key, payload).isInstanceOf(ByteSort.class);
                assertThat(sort.passes()).isEqualTo(key.byteSize());
                assertThat(sort.byteSize())
                        .as("%s+%s", key, payload)
                        .isLessThan(count * (key.byteSize() - 1 + payload.byteSize()) + (2 << 20));
                for (long fewer : new long[] {1, tuning.smallSortLimit() + 1, count / 3}) {
                    assertThat(sort.forFewer(fewer).byteSize())
                            .as("%d of %s+%s", fewer, key, payload)
                            .isLessThanOrEqualTo(sort.byteSize());
                }
                // A lean sort takes less memory, and few elements are sorted faster otherwise.
                assertThat(strategies.smallest(count, 0)).isNotInstanceOf(ByteSort.class);
                assertThat(strategies.smallest(1 << 16, count)).isNotInstanceOf(ByteSort.class);
                assertThat(strategies.smallest(1 << 20, count) instanceof ByteSort)
                        .isEqualTo(key.byteSize() == 1);
            }
        }
    }

    /// The last chunk of host memory has fewer keys, for which there is no memory but that of the counts.
    @Test
    void fewerCountedValuesAreCounted() {
        KernelElement element = KernelElement.of(ElementType.SHORT, List.of(), Order.natural(), false);
        Tuning tuning = Tuning.defaultFor(ElementType.SHORT, null);
        CountedSort sort = new CountedSort(1L << 30, element, tuning);
        assertThat(sort.forFewer(100_000)).isInstanceOf(CountedSort.class);
        assertThat(sort.forFewer(100)).isInstanceOf(OneBlockSort.class);
    }
}
