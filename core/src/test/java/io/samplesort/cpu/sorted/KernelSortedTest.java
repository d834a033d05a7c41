package io.samplesort.cpu.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.SortedOperations;
import io.samplesort.cpu.leaf.SortedKernels;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

    private static int[] moved(int[] keys, int by) {
        return Arrays.stream(keys).map(key -> key + by).toArray();
    }

    private static MemorySegment segment(int[] keys, ElementType type) {
        MemorySegment segment =
                MemorySegment.ofArray(new long[keys.length]).asSlice(0, (long) keys.length * type.byteSize());
        for (int i = 0; i < keys.length; i++) {
            switch (type.byteSize()) {
                case Byte.BYTES -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) keys[i]);
                case Short.BYTES -> segment.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) keys[i]);
                case Integer.BYTES -> segment.setAtIndex(ValueLayout.JAVA_INT, i, keys[i]);
                default -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, (long) keys[i] << 40);
            }
        }
        return segment;
    }

    private static List<ElementType> integers() {
        return List.of(ElementType.BYTE, ElementType.SHORT, ElementType.INT, ElementType.LONG);
    }

    @ParameterizedTest
    @MethodSource("integers")
    void runsOfEachLength(ElementType type) {
        int most = type.equals(ElementType.BYTE) ? Byte.MAX_VALUE : Short.MAX_VALUE;
        try (SortedOperations operations = SampleSort.onCpu().buildSortedOperations(type)) {
            for (int[] all : new int[][] {
                runs(MANY, key -> 1 + key % LONGEST),
                runs(MANY, key -> 1 + key % 2),
                runs(MANY, key -> key % 30 == 7 ? 2 : 1),
                runs(MANY, key -> MANY),
                distinct(MANY, 1)
            }) {
                int[] keys = type.byteSize() >= Integer.BYTES
                        ? all
                        : Arrays.stream(all).takeWhile(key -> key <= most).toArray();
                int[] heads = IntStream.range(0, keys.length)
                        .filter(i -> i == 0 || keys[i] != keys[i - 1])
                        .toArray();
                MemorySegment expected =
                        segment(Arrays.stream(heads).map(i -> keys[i]).toArray(), type);
                MemorySegment unique = segment(new int[heads.length], type);
                assertThat(operations.unique(segment(keys, type), unique)).isEqualTo(heads.length);
                assertThat(unique.mismatch(expected)).isEqualTo(-1);
                int[] offsets = new int[heads.length + 1];
                operations.groups(segment(keys, type), ElementType.INT, MemorySegment.ofArray(offsets));
                assertThat(offsets).startsWith(heads).endsWith(keys.length);
            }
        }
    }

    /// Equal keys lie on both sides of where inputs are cut into tiles and parts, and inputs come to their ends at
    /// different places of a part.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void setsOfUnlikeInputs(boolean areLongs) {
        ElementType type = areLongs ? ElementType.LONG : ElementType.INT;
        int[] equal = runs(MANY, key -> MANY);
        int[] each = runs(MANY, key -> 1 + key % LONGEST);
        int[] distinct = distinct(MANY, 2);
        int[][][] pairs = {
            {equal, runs(MANY / 3, key -> MANY)},
            {runs(MANY / 3, key -> MANY), equal},
            {equal, new int[0]},
            {new int[0], each},
            {each, runs(MANY, key -> LONGEST - key % LONGEST)},
            {each, runs(MANY, key -> MANY / 7)},
            {runs(MANY, key -> key % 3 == 0 ? MANY / 9 : 2), each},
            {distinct, moved(distinct, 1)},
            {distinct, moved(distinct, MANY)},
            {distinct, moved(distinct, 2 * MANY)},
            {moved(distinct, 3 * MANY), distinct},
            {distinct, distinct(MANY, 3)},
            {distinct, distinct(100, 999)},
            {distinct(7, MANY / 3), distinct},
            {runs(5000, key -> 1 + key % 3), distinct(5001, 1)},
            {runs(2000, key -> 1 + key % 9), runs(1999, key -> 9 - key % 9)}
        };
        try (SortedOperations operations = SampleSort.onCpu().buildSortedOperations(type)) {
            for (int[][] pair : pairs) {
                for (SetOperation operation : SetOperation.values()) {
                    checkSets(operations, type, operation, pair[0], pair[1]);
                }
            }
        }
    }

    private static void checkSets(
            SortedOperations operations, ElementType type, SetOperation operation, int[] first, int[] second) {
        MemorySegment expected = segment(combined(operation, first, second), type);
        MemorySegment target = segment(new int[(int) (expected.byteSize() / type.byteSize())], type);
        MemorySegment one = segment(first, type);
        MemorySegment other = segment(second, type);
        long found = switch (operation) {
            case UNION -> operations.union(one, other, target);
            case INTERSECTION -> operations.intersection(one, other, target);
            case DIFFERENCE -> operations.difference(one, other, target);
        };
        assertThat(found * type.byteSize()).as("size of %s", operation).isEqualTo(expected.byteSize());
        assertThat(target.mismatch(expected))
                .as("first wrong byte of %s", operation)
                .isEqualTo(-1);
    }

    private static int[] combined(SetOperation operation, int[] first, int[] second) {
        IntStream.Builder result = IntStream.builder();
        int i = 0;
        int j = 0;
        while (i < first.length || j < second.length) {
            int compared = i == first.length ? 1 : j == second.length ? -1 : Integer.compare(first[i], second[j]);
            boolean isLeft = switch (operation) {
                case UNION -> true;
                case INTERSECTION -> compared == 0;
                case DIFFERENCE -> compared < 0;
            };
            if (isLeft) {
                result.add(compared <= 0 ? first[i] : second[j]);
            }
            i += compared <= 0 ? 1 : 0;
            j += compared >= 0 ? 1 : 0;
        }
        return result.build().toArray();
    }
}
