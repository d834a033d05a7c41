package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The splitters around the borders, for sizes of every kind.
class BorderSampleTest {
    @Test
    void twoGpusHaveASplitterOnEachSideOfTheirBorder() {
        BorderSample sample = BorderSample.of(new long[] {1L << 30, 1L << 30}, 8);
        assertThat(sample.counts()).containsExactly(1 << 17, 1 << 17);
        int[] ranks = sample.ranksAround(1L << 30);
        assertThat(ranks[0]).isLessThan(1 << 17);
        assertThat(ranks[1]).isGreaterThan(1 << 17);
        assertThat((ranks[1] - ranks[0]) / (double) (1 << 18))
                .as("the part of all elements that lies between them")
                .isLessThan(0.01);
    }

    /// A GPU in the middle may sort what lies around both of its borders; half of that belongs to its neighbours.
    @Test
    void whatLiesAroundBordersIsLessThanATwentiethOfAGpu() {
        for (int gpus : new int[] {2, 3, 4, 8, 16}) {
            long[] sizes = new long[gpus];
            Arrays.fill(sizes, 1L << 30);
            BorderSample sample = BorderSample.of(sizes, 8);
            for (int border = 1; border < gpus; border++) {
                int[] ranks = sample.ranksAround((long) border << 30);
                double around = (ranks[1] - ranks[0]) / (double) sample.sampleCount() * gpus;
                assertThat(around).as("%d GPUs, border %d", gpus, border).isLessThan(0.05);
            }
        }
    }

    @Test
    void ranksAscendAndLieInTheSample() {
        SplittableRandom random = new SplittableRandom(7);
        for (int trial = 0; trial < 1000; trial++) {
            long[] sizes = new long[1 + random.nextInt(16)];
            Arrays.setAll(sizes, i -> random.nextInt(3) == 0 ? 0 : random.nextLong(1L << random.nextInt(1, 34)));
            sizes[random.nextInt(sizes.length)] += 1;
            BorderSample sample = BorderSample.of(sizes, 1 + random.nextInt(1000));
            int sampled = Arrays.stream(sample.counts()).sum();
            assertThat(sampled).isPositive();
            for (int gpu = 0; gpu < sizes.length; gpu++) {
                assertThat((long) sample.counts()[gpu]).isLessThanOrEqualTo(sizes[gpu]);
            }
            int[] ranks = sample.ranksAround(random.nextLong(BorderSample.sum(sizes) + 1));
            assertThat(ranks).as(Arrays.toString(sizes)).isSorted();
            for (int rank : ranks) {
                assertThat(rank).isBetween(0, sampled - 1);
            }
        }
    }
}
