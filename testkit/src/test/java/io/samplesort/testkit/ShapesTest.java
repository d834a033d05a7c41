package io.samplesort.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The shapes that break sorts.
class ShapesTest {
    private static long[] longs(KeyShape shape, KeyArrangement arrangement, int count, long seed) {
        long[] keys = new long[count];
        shape.fill(MemorySegment.ofArray(keys), KeyType.U64, arrangement, seed);
        return keys;
    }

    @ParameterizedTest
    @EnumSource
    void keysAreThoseOfTheirSeedAlone(KeyShape shape) {
        for (KeyArrangement arrangement : KeyArrangement.values()) {
            for (KeyType type : KeyType.values()) {
                for (int count : new int[] {0, 1, 2, 3, 1000}) {
                    byte[] first = new byte[count * type.byteSize()];
                    byte[] second = new byte[count * type.byteSize()];
                    shape.fill(MemorySegment.ofArray(first), type, arrangement, 5);
                    shape.fill(MemorySegment.ofArray(second), type, arrangement, 5);
                    assertThat(first).isEqualTo(second);
                }
            }
        }
    }

    @Test
    void keysHaveTheShapesThatTheirNamesPromise() {
        int n = 4096;
        assertThat(Arrays.stream(longs(KeyShape.TWO_EXTREMES, KeyArrangement.AS_DRAWN, n, 1))
                        .distinct())
                .containsExactlyInAnyOrder(0L, -1L);
        assertThat(Arrays.stream(longs(KeyShape.ONE_BYTE, KeyArrangement.AS_DRAWN, n, 1))
                        .distinct())
                .hasSize(256);
        assertThat(Arrays.stream(longs(KeyShape.MEDIAN_KILLER, KeyArrangement.AS_DRAWN, n, 1))
                        .distinct())
                .hasSize(n);
        double[] doubles = new double[n];
        KeyShape.NANS.fill(MemorySegment.ofArray(doubles), KeyType.F64, KeyArrangement.AS_DRAWN, 1);
        assertThat(Arrays.stream(doubles).filter(Double::isNaN).count()).isBetween(n / 2L - 200, n / 2L + 200);
    }

    @Test
    void arrangementsMoveTheSameKeys() {
        long[] drawn = longs(KeyShape.SAWS, KeyArrangement.AS_DRAWN, 101, 3);
        long[] reversed = longs(KeyShape.SAWS, KeyArrangement.REVERSED, 101, 3);
        long[] front = longs(KeyShape.SAWS, KeyArrangement.FRONT_REVERSED, 101, 3);
        long[] back = longs(KeyShape.SAWS, KeyArrangement.BACK_REVERSED, 101, 3);
        long[] sorted = longs(KeyShape.SAWS, KeyArrangement.SORTED, 101, 3);
        for (int i = 0; i < 101; i++) {
            assertThat(reversed[i]).isEqualTo(drawn[100 - i]);
            assertThat(front[i]).isEqualTo(i < 50 ? drawn[49 - i] : drawn[i]);
            assertThat(back[i]).isEqualTo(i < 50 ? drawn[i] : drawn[150 - i]);
            assertThat(i == 0 || Long.compareUnsigned(sorted[i - 1], sorted[i]) <= 0)
                    .isTrue();
        }
    }

    /// A quicksort whose pivot is the middle element takes quadratic time, and a merge sort does not.
    @Test
    void theAdversaryKillsAQuicksort() {
        int n = 1000;
        AdversarialOrder order = new AdversarialOrder(n);
        Integer[] numbers = IntStream.range(0, n).boxed().toArray(Integer[]::new);
        quicksort(numbers, 0, n - 1, order);
        assertThat(order.comparisons()).isGreaterThan((long) n * n / 8);
        assertThat(numbers).isSortedAccordingTo(order);
        AdversarialOrder other = new AdversarialOrder(n);
        Arrays.sort(numbers, other);
        assertThat(other.comparisons()).isLessThan(n * 12L);
        assertThat(numbers).isSortedAccordingTo(other);
    }

    private static void quicksort(Integer[] numbers, int from, int to, Comparator<Integer> order) {
        if (from >= to) {
            return;
        }
        Integer pivot = numbers[(from + to) / 2];
        int i = from;
        int j = to;
        while (i <= j) {
            while (order.compare(numbers[i], pivot) < 0) {
                i++;
            }
            while (order.compare(numbers[j], pivot) > 0) {
                j--;
            }
            if (i <= j) {
                Integer swapped = numbers[i];
                numbers[i++] = numbers[j];
                numbers[j--] = swapped;
            }
        }
        quicksort(numbers, from, j, order);
        quicksort(numbers, i, to, order);
    }

    @ParameterizedTest
    @EnumSource
    void stringsAreThoseOfTheirSeedAndNoLongerThanSaid(StringShape shape) {
        for (int count : new int[] {0, 1, 2, 1000}) {
            for (int longest : new int[] {1, 2, 100}) {
                byte[][] strings = shape.strings(count, longest, 5);
                assertThat(strings).isDeepEqualTo(shape.strings(count, longest, 5));
                assertThat(strings).hasNumberOfRows(count);
                assertThat(Arrays.stream(strings).allMatch(string -> string.length <= longest))
                        .isTrue();
            }
        }
    }
}
