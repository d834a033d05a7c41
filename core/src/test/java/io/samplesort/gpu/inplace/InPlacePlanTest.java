package io.samplesort.gpu.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.GivenSegments;
import io.samplesort.gpu.sort.Layouts;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
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
            sort = new DeviceSort(null, new Layouts(null, element, tuning, Long.MAX_VALUE), columns, "none");
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
        for (long count = 1L << 24; count < 1L << 36; count += count / 3) {
            long most = count * elements.sort.rowBytes() / PART;
            InPlacePlan plan = InPlacePlan.of(elements.sort, count, most);
            assertThat(plan).as("%d elements", count).isNotNull();
            assertThat(plan.byteSize()).isBetween(most / 2, most);
            assertThat((plan.chunks() - 1) * plan.chunkSize()).isLessThan(count);
            assertThat(plan.chunks() * plan.chunkSize()).isGreaterThanOrEqualTo(count);
        }
    }

    /// Whatever the sizes of the buckets are, the work area has room for the sort of a region.
    @ParameterizedTest
    @EnumSource(Elements.class)
    void everyRegionFits(Elements elements) {
        SplittableRandom random = new SplittableRandom(5);
        for (long count = 1L << 24; count < 1L << 36; count += count / 2) {
            InPlacePlan plan = InPlacePlan.of(elements.sort, count, count * elements.sort.rowBytes() / PART);
            for (int trial = 0; trial < 40; trial++) {
                long size = trial == 0 ? plan.regionSize() : 1 + random.nextLong(plan.regionSize());
                int segments = trial < 2 ? plan.segments() : 1 + random.nextInt(plan.segments());
                long[] sizes = new long[segments];
                sizes[0] = size;
                GivenSegments given = new GivenSegments(sizes, new long[segments], new boolean[segments]);
                assertThat(plan.layout(elements.sort, new Region(0, given)))
                        .as("%d elements in %d buckets of %s", size, segments, plan)
                        .isNotNull();
            }
        }
    }

    @Test
    void bucketsOfEqualKeysAreDivided() {
        long[] sizes = {30, 0, 250, 40, 50, 20, 100};
        boolean[] areEqual = {false, false, true, false, false, false, true};
        List<Region> regions = Region.of(sizes, areEqual, 100, 3);
        assertThat(regions).extracting(Region::begin).containsExactly(0L, 30L, 130L, 230L, 320L, 390L);
        assertThat(regions).extracting(Region::count).containsExactly(30L, 100L, 100L, 90L, 70L, 100L);
        assertThat(Region.of(sizes, new boolean[sizes.length], 100, 3)).isNull();
    }
}
