package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cpu.leaf.LeafSort;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PairSortTest {
    /// A few far keys leave all others in one cell, and again in one cell of that, and so on.
    @Test
    void dividesCrowdedCellsAndKeepsTheOrderOfEqualKeys() {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        PairSort sort = new PairSort(new LeafSort());
        int count = 5000;
        sort.reserve(count);
        for (int round = 0; round < 100; round++) {
            long[] keys = new long[count];
            long[] places = new long[count];
            for (int i = 0; i < count; i++) {
                int bits = random.nextInt(100) == 0 ? random.nextInt(Long.SIZE) : random.nextInt(8);
                keys[i] = random.nextLong() >>> Long.SIZE - 1 - bits;
                places[i] = i;
            }
            int from = random.nextInt(10);
            int to = count - random.nextInt(10);
            long[] expected = keys.clone();
            Arrays.sort(expected, from, to);
            long[] unsorted = keys.clone();
            sort.sort(keys, places, from, to);
            assertThat(keys).as("-Dtests.seed=" + SortCase.SEED).isEqualTo(expected);
            for (int i = 0; i < count; i++) {
                assertThat(unsorted[(int) places[i]]).isEqualTo(keys[i]);
                boolean isRepeated = i > from && i < to && keys[i - 1] == keys[i];
                assertThat(!isRepeated || places[i - 1] < places[i]).isTrue();
            }
        }
    }

    /// Keys that are often equal, or differ in their lowest bits alone.
    @Test
    void sortsKeysWhosePrefixesAreEqual() {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        PairSort sort = new PairSort(new LeafSort());
        for (int round = 0; round < 500; round++) {
            int count = random.nextInt(1, 3000);
            int lowBits = random.nextInt(1, 40);
            long[] prefixes = random.longs(random.nextInt(1, 5)).toArray();
            long[] keys = new long[count];
            Arrays.setAll(
                    keys, i -> prefixes[random.nextInt(prefixes.length)] ^ (random.nextLong() & ((1L << lowBits) - 1)));
            if (random.nextBoolean()) {
                keys[0] = Long.MIN_VALUE;
                keys[count - 1] = Long.MAX_VALUE;
            }
            // The payload is a function of the key, which shows any that lost its key.
            long[] payload =
                    Arrays.stream(keys).map(key -> key * 0x9e37_79b9_7f4a_7c15L).toArray();
            long[] expected = keys.clone();
            Arrays.sort(expected);
            sort.reserve(count);
            sort.sort(keys, payload, 0, count);
            assertThat(keys).as("-Dtests.seed=" + SortCase.SEED).isEqualTo(expected);
            assertThat(payload)
                    .isEqualTo(Arrays.stream(expected)
                            .map(key -> key * 0x9e37_79b9_7f4a_7c15L)
                            .toArray());
        }
    }
}
