package io.samplesort.cpu.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.SortedOperations;
import io.samplesort.cpu.leaf.SortedKernels;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The same on the CPU with the kernels, also for few elements, as in a process that has worked on many.
class KernelSortedTest extends CpuSortedTest {
    /// More than two tiles.
    private static final int MANY = 70_000;

    /// Runs are at most this long: as long as several vectors.
    private static final int LONGEST = 70;

    @BeforeAll
    static void link() {
        SortedKernels.link();
    }

    /// Returns keys from 0 on, each as often as a function says.
    private static int[] runs(int count, IntUnaryOperator lengths) {
        int[] keys = new int[count];
        int key = 0;
        for (int from = 0; from < count; key++) {
            int to = Math.min(from + lengths.applyAsInt(key), count);
            Arrays.fill(keys, from, to, key);
            from = to;
        }
        return keys;
    }

    private static int[] distinct(int count, int factor) {
        return IntStream.range(0, count).map(i -> i * factor).toArray();
    }

    private static MemorySegment segment(int[] keys, ElementType type) {
        return type.equals(ElementType.INT)
                ? MemorySegment.ofArray(keys)
                : MemorySegment.ofArray(
                        Arrays.stream(keys).asLongStream().map(key -> key << 40).toArray());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void runsOfEachLength(boolean areLongs) {
        ElementType type = areLongs ? ElementType.LONG : ElementType.INT;
        try (SortedOperations operations = SampleSort.onCpu().buildSortedOperations(type)) {
            for (int[] keys : new int[][] {
                runs(MANY, key -> 1 + key % LONGEST),
                runs(MANY, key -> 1 + key % 2),
                runs(MANY, key -> key % 30 == 7 ? 2 : 1),
                runs(MANY, key -> MANY),
                distinct(MANY, 1)
            }) {
                int[] heads = IntStream.range(0, MANY)
                        .filter(i -> i == 0 || keys[i] != keys[i - 1])
                        .toArray();
                MemorySegment expected = segment(Arrays.stream(heads).map(i -> keys[i]).toArray(), type);
                MemorySegment unique = segment(new int[heads.length], type);
                assertThat(operations.unique(segment(keys, type), unique)).isEqualTo(heads.length);
                assertThat(unique.mismatch(expected)).isEqualTo(-1);
                int[] offsets = new int[heads.length + 1];
                operations.groups(segment(keys, type), ElementType.INT, MemorySegment.ofArray(offsets));
                assertThat(offsets).startsWith(heads).endsWith(MANY);
            }
        }
    }
}
