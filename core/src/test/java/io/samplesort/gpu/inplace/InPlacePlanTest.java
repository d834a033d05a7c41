package io.samplesort.gpu.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.Strategies;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The arithmetic of sorts in place, with the default tunings and without a GPU.
class InPlacePlanTest {
    private static final int PART = 10;

    private static final ElementType TWO_LONGS = struct(2);
    private static final ElementType FOUR_LONGS = struct(4);

    private enum Elements {
        INTS(ElementType.INT, List.of(), false),
        LONGS(ElementType.LONG, List.of(), false),
        PAIRS_OF_INTS(ElementType.INT, List.of(ElementType.INT), false),
        PAIRS_OF_LONGS(ElementType.LONG, List.of(ElementType.LONG), false),
        STABLE_PAIRS(ElementType.LONG, List.of(ElementType.LONG), true),
        UNEQUAL_PAIRS(ElementType.LONG, List.of(ElementType.INT), false),
        STRUCTS_OF_16(TWO_LONGS, List.of(), false),
        STRUCTS_OF_32(FOUR_LONGS, List.of(), false);

        private final DeviceSort sort;

        Elements(ElementType key, List<ElementType> payloads, boolean isStable) {
            Order order = key.isPrimitive() ? Order.natural() : Order.by("f0");
            KernelElement element = KernelElement.of(key, payloads, order, isStable);
            Tuning tuning =
                    Tuning.defaultFor(element.keyBytes(), element.payloadBytes(), element.keepsOrder(), "sm_90");
            int[] columns = payloads.isEmpty()
                    ? new int[] {key.byteSize()}
                    : new int[] {key.byteSize(), payloads.getFirst().byteSize()};
            sort = new DeviceSort(null, new Strategies(null, element, tuning, Long.MAX_VALUE), columns, "none");
        }
    }

    private static ElementType struct(int longs) {
        MemoryLayout[] fields = new MemoryLayout[longs];
        Arrays.setAll(fields, i -> ValueLayout.JAVA_LONG.withName("f" + i));
        return ElementType.of(MemoryLayout.structLayout(fields));
    }

    @ParameterizedTest
    @EnumSource(Elements.class)
    void aTenthOfTheInputIsEnough(Elements elements) {
        for (long count = 1L << 25; count < 1L << 36; count += count / 3) {
            long most = count * elements.sort.rowBytes() / PART;
            InPlacePlan plan = InPlacePlan.of(elements.sort, count, most);
            assertThat(plan).as("%d elements", count).isNotNull();
            assertThat(plan.byteSize()).isBetween(most * 9 / 10, most);
            assertThat(plan.shape().arrayPages() * plan.shape().pageSize()).isGreaterThanOrEqualTo(count);
            assertThat(plan.chunks().besidePages()).isGreaterThan(plan.bucketCount());
        }
    }

    /// Each region costs some 45 µs in addition to its elements. A counted sample leaves little room to buckets, so
    /// there are few regions.
    @ParameterizedTest
    @EnumSource(
            value = Elements.class,
            names = {"INTS", "LONGS", "PAIRS_OF_INTS", "PAIRS_OF_LONGS"})
    void thereAreFewRegions(Elements elements) {
        long count = 1L << 28;
        InPlacePlan plan = InPlacePlan.of(elements.sort, count, count * elements.sort.rowBytes() / PART);
        long part = plan.layout().rooms.partFor(count / plan.bucketCount());
        assertThat(plan.bucketCount() / (plan.headSize() / part)).isLessThanOrEqualTo(23);
    }

    /// Whatever the sizes of the buckets are, segments take them, and so do regions.
    @ParameterizedTest
    @EnumSource(Elements.class)
    void everyBucketFits(Elements elements) {
        SplittableRandom random = new SplittableRandom(5);
        for (long count = 1L << 25; count < 1L << 36; count += count / 2) {
            InPlacePlan plan = InPlacePlan.of(elements.sort, count, count * elements.sort.rowBytes() / PART);
            for (int trial = 0; trial < 20; trial++) {
                long[] sizes = sizes(plan.bucketCount(), count, trial, random);
                checkRegions(plan, sizes);
            }
        }
    }

    /// Makes segments and regions of these buckets, as plan_regions does.
    private static void checkRegions(InPlacePlan plan, long[] sizes) {
        int segments = 0;
        int regions = 0;
        long room = 0;
        int ofRegion = plan.mostOfAGroup();
        for (long size : sizes) {
            for (long left = size; left > 0; left -= plan.mostOfASegment()) {
                long part = plan.layout().rooms.partFor(Math.min(left, plan.mostOfASegment()));
                assertThat(part).isLessThanOrEqualTo(plan.headSize());
                if (ofRegion == plan.mostOfAGroup() || room + part > plan.headSize()) {
                    regions++;
                    room = 0;
                    ofRegion = 0;
                }
                room += part;
                ofRegion++;
                segments++;
            }
        }
        assertThat(segments).isLessThanOrEqualTo(plan.layout().mostSegments());
        assertThat(regions).isLessThanOrEqualTo(plan.layout().groupCount());
    }

    /// Returns equal sizes, all in one bucket, or any.
    private static long[] sizes(int buckets, long count, int trial, SplittableRandom random) {
        long[] sizes = new long[buckets];
        if (trial == 0) {
            Arrays.fill(sizes, count / buckets);
            sizes[0] += count % buckets;
        } else if (trial == 1) {
            sizes[buckets / 2] = count;
        } else {
            long left = count;
            for (int bucket = 0; bucket + 1 < buckets; bucket++) {
                sizes[bucket] = random.nextLong(left / random.nextInt(1, 2 * buckets) + 1);
                left -= sizes[bucket];
            }
            sizes[buckets - 1] = left;
        }
        return sizes;
    }
}
