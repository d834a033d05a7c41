package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How many elements each of several GPUs receives, counted with the sample and the plan of an exchange and without a
/// GPU. From 25,600 elements for each square of their number on, none has more than a twentieth above its share.
class ExchangeBalanceTest {
    private static final int ELEMENTS = 25_600;
    private static final double MOST = 1.05;

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    void noDistributionOverloadsAGpu(InputDistribution distribution) {
        for (int gpus : new int[] {2, 3, 4, 8}) {
            long[] keys = new long[ELEMENTS * gpus * gpus];
            distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, gpus);
            check(keys, ExchangeBed.equalSizes(keys.length, gpus), distribution + " on " + gpus + " GPUs");
        }
    }

    private static void check(long[] keys, long[] sizes, String what) {
        long[] splitters = splitters(keys, sizes);
        long[][] counts = new long[sizes.length][2 * splitters.length + 1];
        int begin = 0;
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            int end = begin + (int) sizes[gpu];
            for (int i = begin; i < end; i++) {
                counts[gpu][classOf(keys[i], splitters)]++;
            }
            begin = end;
        }
        ExchangePlan plan = new ExchangePlan(sizes, counts);
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            assertThat(plan.received(gpu).count()).as("%s, GPU %d", what, gpu).isLessThanOrEqualTo((long)
                    (sizes[gpu] * MOST));
        }
    }

    /// Draws a stratified sample as each GPU does.
    private static long[] splitters(long[] keys, long[] sizes) {
        BorderSample sample = BorderSample.of(sizes, Long.BYTES);
        SplittableRandom random = new SplittableRandom(sizes.length);
        int[] counts = sample.counts();
        long[] sampled = new long[Arrays.stream(counts).sum()];
        int found = 0;
        int begin = 0;
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            for (int i = 0; i < counts[gpu]; i++) {
                long from = sizes[gpu] * i / counts[gpu];
                long to = Math.max(from + 1, sizes[gpu] * (i + 1) / counts[gpu]);
                sampled[found++] = keys[begin + (int) random.nextLong(from, to)];
            }
            begin += (int) sizes[gpu];
        }
        Arrays.sort(sampled);
        return Arrays.stream(sample.ranks()).mapToLong(rank -> sampled[rank]).toArray();
    }

    private static int classOf(long key, long[] splitters) {
        int first = 0;
        while (first < splitters.length && splitters[first] < key) {
            first++;
        }
        return first < splitters.length && splitters[first] == key ? 2 * first + 1 : 2 * first;
    }
}
