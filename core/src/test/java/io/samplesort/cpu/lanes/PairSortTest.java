package io.samplesort.cpu.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cpu.SortCase;
import io.samplesort.cpu.leaf.LeafSort;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PairSortTest {
    /// Keys that agree in all bits that fit beside the index, or in some of them.
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
