package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.keys.OrderedBits;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DirectArgsortTest {
    /// Few keys of each type with many equal ones, in a range of the array.
    @Test
    void fewKeysComeInOrderAndEqualOnesByTheirIndexes() {
        Random random = new Random(1);
        double[] special = {0.0, -0.0, 1, -1, Double.NaN, Double.longBitsToDouble(-1), Double.NEGATIVE_INFINITY};
        for (int count = 0; count <= 24; count++) {
            int[] numbers = random.ints(count + 5, -3, 4).toArray();
            long[] longs = new long[count + 5];
            float[] floats = new float[count + 5];
            double[] doubles = new double[count + 5];
            short[] shorts = new short[count + 5];
            char[] chars = new char[count + 5];
            byte[] bytes = new byte[count + 5];
            for (int i = 0; i < count + 5; i++) {
                longs[i] = numbers[i] * (Long.MAX_VALUE / 3);
                doubles[i] = special[numbers[i] + 3];
                floats[i] = (float) doubles[i];
                shorts[i] = (short) (numbers[i] * 10_000);
                chars[i] = (char) (numbers[i] * 20_000);
                bytes[i] = (byte) (numbers[i] * 40);
            }
            check(numbers, count, Comparator.comparingInt(i -> numbers[i]));
            check(longs, count, Comparator.comparingLong(i -> longs[i]));
            check(
                    doubles,
                    count,
                    Comparator.comparingLong(i -> OrderedBits.ofDouble(Double.doubleToRawLongBits(doubles[i]))));
            check(floats, count, Comparator.comparingInt(i -> OrderedBits.ofFloat(Float.floatToRawIntBits(floats[i]))));
            check(shorts, count, Comparator.comparingInt(i -> shorts[i]));
            check(chars, count, Comparator.comparingInt(i -> chars[i]));
            check(bytes, count, Comparator.comparingInt(i -> bytes[i]));
        }
    }

    private static void check(Object keys, int count, Comparator<Integer> order) {
        int[] expected = IntStream.range(3, 3 + count)
                .boxed()
                .sorted(order)
                .mapToInt(i -> i)
                .toArray();
        assertThat(DirectArgsort.tryArgsort(keys, 3, 3 + count, Arrays::sort)).containsExactly(expected);
    }

    /// Up to four runs in both directions, with equal keys.
    @Test
    void aFewRunsAreMergedAndEqualKeysComeByTheirIndexes() {
        Random random = new Random(2);
        int merged = 0;
        for (int round = 0; round < 1000; round++) {
            int count = 40 + random.nextInt(400);
            int range = 1 << 1 + random.nextInt(20);
            long[] keys = random.longs(count + 5, 0, range).toArray();
            int runs = 1 + random.nextInt(4);
            for (int run = 0; run < runs; run++) {
                int from = 3 + count * run / runs;
                int to = 3 + count * (run + 1) / runs;
                Arrays.sort(keys, from, to);
                for (int i = from, j = to - 1; i < j && round % 2 == 0; i++, j--) {
                    long key = keys[i];
                    keys[i] = keys[j];
                    keys[j] = key;
                }
            }
            int[] found = DirectArgsort.tryArgsort(keys, 3, 3 + count, Arrays::sort);
            if (found != null) {
                merged++;
                assertThat(found)
                        .as("round %d", round)
                        .containsExactly(IntStream.range(3, 3 + count)
                                .boxed()
                                .sorted(Comparator.comparingLong(i -> keys[i]))
                                .mapToInt(i -> i)
                                .toArray());
            }
        }
        assertThat(merged).isGreaterThan(400);
    }

    @Test
    void otherLongsAreLeftToTheEngine() {
        assertThat(DirectArgsort.tryArgsort(new Random(3).longs(100).toArray(), 0, 100, Arrays::sort))
                .isNull();
    }
}
