package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PermutationTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    @Test
    void putsAColumnInTheOrderOfTheKeys() {
        double[] keys = new Random(SEED).doubles(50_000).toArray();
        long[] column = new Random(SEED + 1).longs(keys.length).toArray();
        int[] permutation;
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.DOUBLE)) {
            permutation = sorter.argsort(MemorySegment.ofArray(keys));
        }
        long[] target = new long[column.length];
        double[] sorted = new double[keys.length];
        Sorter.applyPermutation(
                MemorySegment.ofArray(permutation),
                ElementType.LONG,
                MemorySegment.ofArray(column),
                MemorySegment.ofArray(target));
        Sorter.applyPermutation(
                MemorySegment.ofArray(Arrays.stream(permutation).asLongStream().toArray()),
                ElementType.DOUBLE,
                MemorySegment.ofArray(keys),
                MemorySegment.ofArray(sorted));
        for (int i = 0; i < column.length; i++) {
            assertThat(target[i]).as("seed %d, place %d", SEED, i).isEqualTo(column[permutation[i]]);
        }
        assertThat(sorted).isSorted();
    }

    @Test
    void findsTheOrderOfArrays() {
        assertThat(SampleSort.argsort(new int[] {3, 1, 2, 1})).containsExactly(1, 3, 2, 0);
        assertThat(SampleSort.argsort(new long[] {3, -1, 2})).containsExactly(1, 2, 0);
        assertThat(SampleSort.argsort(new float[] {0f, -0f, Float.NaN, -1f})).containsExactly(3, 1, 0, 2);
        assertThat(SampleSort.argsort(new double[] {0, -0.0, Double.NaN, -1})).containsExactly(3, 1, 0, 2);
        assertThat(SampleSort.argsort(new int[0])).isEmpty();
    }

    @Test
    void refusesWhatIsNoPermutation() {
        int[] source = {1, 2, 3};
        int[] target = {7, 7, 7};
        assertThatThrownBy(() -> apply(new int[] {0, 1, 1}, source, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the index 1 appears twice, once at place 2");
        assertThatThrownBy(() -> apply(new int[] {0, 3, 1}, source, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the index at place 1 is 3");
        assertThatThrownBy(() -> apply(new int[] {0, -1, 1}, source, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the index at place 1 is -1");
        assertThatThrownBy(() -> apply(new int[] {0, 1}, source, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("for 3 elements it has one long each, or one int");
        assertThatThrownBy(() -> apply(new int[] {0, 1, 2}, source, source))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overlap");
        assertThatThrownBy(() -> apply(new int[] {0, 1, 2}, source, new int[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("both must have the same size");
        assertThatThrownBy(() -> apply(target, source, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("permutation and target overlap");
        assertThat(target).containsOnly(7);
    }

    @Test
    void refusesAPermutationOnTopOfItsElements() {
        int[] keys = {3, 1, 2};
        MemorySegment segment = MemorySegment.ofArray(keys);
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.INT)) {
            assertThatThrownBy(() -> sorter.argsort(segment, segment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("elements and permutation overlap");
        }
        assertThat(keys).containsExactly(3, 1, 2);
    }

    private static void apply(int[] permutation, int[] source, int[] target) {
        Sorter.applyPermutation(
                MemorySegment.ofArray(permutation),
                ElementType.INT,
                MemorySegment.ofArray(source),
                MemorySegment.ofArray(target));
    }
}
