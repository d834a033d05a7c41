package io.samplesort.gpu;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Keys that are wider than the numbers by which they are divided among cells, with first numbers that repeat in all
/// ways: structs of two fields, and pairs whose equal keys keep their order. Second numbers then decide
/// (second_cells.cuh).
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSecondCellsTest {
    private static final ElementType TWO_LONGS =
            ElementType.of(MemoryLayout.structLayout(JAVA_LONG.withName("a"), JAVA_LONG.withName("b")));

    static Stream<GpuCellsTest.Keys> inputs() {
        return GpuCellsTest.inputs();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void sortsStructs(GpuCellsTest.Keys input) {
        long[] first = input.keys();
        SplittableRandom random = new SplittableRandom(first.length);
        try (Sorter small = SampleSort.onGpu()
                        .tuning(GpuCellsTest.SMALL)
                        .order(Order.by("a").thenBy("b"))
                        .build(TWO_LONGS);
                Sorter sorter =
                        SampleSort.onGpu().order(Order.by("a").thenBy("b")).build(TWO_LONGS)) {
            for (LongUnaryOperator second : new LongUnaryOperator[] {
                i -> random.nextLong(),
                i -> i,
                i -> random.nextInt(3),
                i -> i % 4 == 0 ? random.nextLong() : random.nextInt(2),
                i -> random.nextLong() >>> random.nextInt(64)
            }) {
                long[] structs = new long[2 * first.length];
                for (int i = 0; i < first.length; i++) {
                    structs[2 * i] = first[i];
                    structs[2 * i + 1] = second.applyAsLong(i);
                }
                long[] expected = sorted(structs);
                for (Sorter each : new Sorter[] {small, sorter}) {
                    long[] actual = structs.clone();
                    each.sort(MemorySegment.ofArray(actual));
                    assertThat(actual).isEqualTo(expected);
                }
            }
        }
    }

    private static long[] sorted(long[] structs) {
        return IntStream.range(0, structs.length / 2)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(i -> structs[2 * i])
                        .thenComparingLong(i -> structs[2 * i + 1]))
                .flatMapToLong(i -> LongStream.of(structs[2 * i], structs[2 * i + 1]))
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void keepsTheOrderOfEqualKeys(GpuCellsTest.Keys input) {
        long[] keys = input.keys().clone();
        long[] places = LongStream.range(0, keys.length).toArray();
        try (Sorter sorter = SampleSort.onGpu()
                .stable()
                .tuning(GpuCellsTest.SMALL)
                .payload(ElementType.LONG)
                .build(ElementType.LONG)) {
            sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(places));
        }
        assertThat(places)
                .isEqualTo(IntStream.range(0, keys.length)
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> input.keys()[i]))
                        .mapToLong(i -> i)
                        .toArray());
        assertThat(keys).isEqualTo(Arrays.stream(input.keys()).sorted().toArray());
    }

    /// Keys of 32 bits with a place of 32 bits, and of 64 bits with an index of 32.
    @ParameterizedTest
    @MethodSource("inputs")
    void sortsIndexes(GpuCellsTest.Keys input) {
        long[] keys = input.keys();
        try (Sorter sorter =
                SampleSort.onGpu().stable().tuning(GpuCellsTest.SMALL).build(ElementType.LONG)) {
            int[] expected = IntStream.range(0, keys.length)
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> keys[i]))
                    .mapToInt(i -> i)
                    .toArray();
            assertThat(sorter.argsort(MemorySegment.ofArray(keys))).isEqualTo(expected);
        }
        try (Sorter sorter = SampleSort.onGpu()
                .stable()
                .tuning(GpuCellsTest.SMALL)
                .payload(ElementType.INT)
                .build(ElementType.INT)) {
            int[] ints = Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
            int[] places = IntStream.range(0, keys.length).toArray();
            int[] expected = IntStream.range(0, keys.length)
                    .boxed()
                    .sorted(Comparator.comparingInt(i -> (int) keys[i]))
                    .mapToInt(i -> i)
                    .toArray();
            sorter.sort(MemorySegment.ofArray(ints), MemorySegment.ofArray(places));
            assertThat(places).isEqualTo(expected);
        }
    }
}
