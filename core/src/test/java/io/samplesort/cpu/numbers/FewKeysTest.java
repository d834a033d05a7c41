package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Keys of which few are distinct are counted, by one thread and by several, and others are left as they are.
class FewKeysTest {
    private final PhaseTimes times = new PhaseTimes();

    private static LaneSort laneSort(ElementType key, Order order, int threads) {
        int bytes = Math.max(key.byteSize(), Integer.BYTES);
        return new LaneSort(key, null, (NaturalOrder) order, CpuTuning.DEFAULT, bytes, threads, null);
    }

    private static Elements elements(MemorySegment keys, ElementType type) {
        return new Elements(keys, type.byteSize(), null, 0);
    }

    @ParameterizedTest
    @CsvSource({"1, 5000", "64, 5000", "64, 300000", "17, 300000"})
    void fewDistinctKeysAreCounted(int distinct, int count) {
        long[] different = new SplittableRandom(distinct).longs(distinct).toArray();
        long[] keys = new SplittableRandom(count)
                .ints(count, 0, distinct)
                .mapToLong(i -> different[i])
                .toArray();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        for (int threads : new int[] {1, 3}) {
            long[] sorted = keys.clone();
            Elements elements = elements(MemorySegment.ofArray(sorted), ElementType.LONG);
            assertThat(FewKeys.trySort(
                            laneSort(ElementType.LONG, Order.natural(), threads).preparedTeam(threads),
                            elements,
                            times))
                    .isTrue();
            assertThat(sorted).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"5000, 1", "300000, 1", "300000, 3"})
    void aMisleadingSampleMovesNothing(int count, int threads) {
        long[] keys = new SplittableRandom(count).longs(count).toArray();
        for (int size : new int[] {32, 256}) {
            for (int i = 0; i < size; i++) {
                keys[(int) ((long) count * i / size)] = 7;
            }
        }
        long[] unsorted = keys.clone();
        Elements elements = elements(MemorySegment.ofArray(keys), ElementType.LONG);
        assertThat(FewKeys.trySort(
                        laneSort(ElementType.LONG, Order.natural(), threads).preparedTeam(threads), elements, times))
                .isFalse();
        assertThat(keys).isEqualTo(unsorted);
    }

    @ParameterizedTest
    @CsvSource({"5000", "300000"})
    void doublesComeInTheOrderOfTheirBits(int count) {
        double[] different = {
            0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -1, Double.longBitsToDouble(-1)
        };
        double[] keys = new SplittableRandom(count)
                .ints(count, 0, different.length)
                .mapToDouble(i -> different[i])
                .toArray();
        long[] expected =
                Arrays.stream(keys).mapToLong(LongRuns::place).sorted().toArray();
        for (Order order : new Order[] {Order.natural(), Order.natural().reversed()}) {
            double[] sorted = keys.clone();
            assertThat(FewKeys.trySort(
                            laneSort(ElementType.DOUBLE, order, 2).preparedTeam(2),
                            elements(MemorySegment.ofArray(sorted), ElementType.DOUBLE),
                            times))
                    .isTrue();
            for (int i = 0; i < count; i++) {
                int place = ((NaturalOrder) order).isReversed() ? count - 1 - i : i;
                assertThat(LongRuns.place(sorted[i])).isEqualTo(expected[place]);
            }
        }
    }
}
