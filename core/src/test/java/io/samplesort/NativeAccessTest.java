package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The CPU engine sorts any memory where Java allows no native access.
class NativeAccessTest {
    @Test
    void theCpuNeedsNone() throws Exception {
        assertThat(ChildJvm.run(List.of("--illegal-native-access=deny"), NativeAccessTest.class))
                .isEqualToIgnoringNewLines("all sorted");
    }

    /// Java warns where it does not deny.
    @Test
    void fewElementsDoNotEvenCauseAWarning() throws Exception {
        assertThat(ChildJvm.run(List.of(), NativeAccessTest.class, "1000")).isEqualToIgnoringNewLines("all sorted");
    }

    public static void main(String[] arguments) {
        int[] counts = arguments.length == 0 ? new int[] {1000, 140_000} : new int[] {Integer.parseInt(arguments[0])};
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            for (int count : counts) {
                for (Arena arena : List.of(confined, shared)) {
                    sortNumbers(arena, count);
                    sortRecords(arena, count);
                }
            }
        }
        System.out.println("all sorted");
    }

    private static void sortNumbers(Arena arena, int most) {
        try (Sorter best = SampleSort.onBestDevice().build(ElementType.LONG);
                Sorter cpu = SampleSort.onCpu().build(ElementType.LONG);
                Sorter stable = SampleSort.onCpu().stable().build(ElementType.LONG);
                Sorter pairs = SampleSort.onCpu().payload(ElementType.INT).build(ElementType.LONG);
                Sorter custom = SampleSort.onCpu()
                        .order(Order.custom("a < b", Order.natural().toComparator(ElementType.LONG)))
                        .build(ElementType.LONG)) {
            for (Sorter sorter : List.of(best, cpu, stable, custom)) {
                // An order in Java takes long, and several threads have a share of this many, too.
                int count = sorter == custom ? Math.min(most, 30_000) : most;
                MemorySegment keys = random(arena, count);
                MemorySegment copy = arena.allocate(keys.byteSize(), 8);
                MemorySegment permutation = arena.allocate(4L * count, 4);
                sorter.argsort(keys, permutation);
                sorter.sortedCopy(keys, copy);
                require(sorter, copy);
                copy.fill((byte) 0);
                Sorter.applyPermutation(permutation, ElementType.LONG, keys, copy);
                require(sorter, copy);
                sorter.sort(keys);
                require(sorter, keys);
            }
            MemorySegment keys = random(arena, most);
            pairs.sort(keys, arena.allocate(4L * most, 4));
            require(cpu, keys);
        }
    }

    private static void sortRecords(Arena arena, int count) {
        ElementType type = ElementType.of(MemoryLayout.structLayout(
                ValueLayout.JAVA_INT.withName("a"),
                ValueLayout.JAVA_INT.withName("b"),
                ValueLayout.JAVA_LONG.withName("c")));
        try (Sorter sorter = SampleSort.onCpu().order(Order.by("b").thenBy("c")).build(type)) {
            MemorySegment records = random(arena, 2 * count);
            sorter.sort(records);
            require(sorter, records);
        }
    }

    private static MemorySegment random(Arena arena, int count) {
        SplittableRandom random = new SplittableRandom(count);
        return arena.allocateFrom(ValueLayout.JAVA_LONG, random.longs(count).toArray());
    }

    private static void require(Sorter sorter, MemorySegment elements) {
        if (!sorter.isSorted(elements)) {
            throw new AssertionError("not sorted: " + elements);
        }
    }
}
