package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.exchange.BucketRooms.Counted;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How many elements each of several GPUs receives, counted with the sample and the plan of an exchange of buckets
/// and without a GPU. From 25,600 elements for each square of their number on, none has more than a twentieth above its
/// share.
class ExchangeBalanceTest {
    private static final int ELEMENTS = 25_600;
    private static final double MOST = 1.05;
    private static final Tuning TUNING = Tuning.defaultFor(ElementType.LONG, null);

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
        BorderSample drawn = BorderSample.of(sizes, Long.BYTES);
        SharedBuckets buckets = SharedBuckets.of(drawn, TUNING);
        long[] sample = sample(keys, sizes, drawn.counts());
        long[] splitters =
                Arrays.stream(buckets.ranks()).mapToLong(rank -> sample[rank]).toArray();
        boolean[] areEqual = new boolean[buckets.count()];
        for (int bucket = 1; bucket < splitters.length; bucket++) {
            areEqual[bucket] = splitters[bucket - 1] == splitters[bucket];
        }
        Counted[] counted = new Counted[sizes.length];
        long[][] counts = new long[sizes.length][buckets.count()];
        int begin = 0;
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            int end = begin + (int) sizes[gpu];
            for (int i = begin; i < end; i++) {
                counts[gpu][bucketOf(keys[i], splitters, areEqual)]++;
            }
            counted[gpu] = new Counted(counts[gpu], 1, sizes[gpu]);
            begin = end;
        }
        BucketOwners owners = new BucketOwners(buckets, areEqual, counted);
        BucketRooms[] rooms = new BucketRooms[sizes.length];
        Arrays.setAll(rooms, gpu -> new BucketRooms(gpu, owners, counted, 1));
        BucketPlan plan = BucketPlan.of(owners, sizes, rooms, counts);
        assertThat(plan).as(what).isNotNull();
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            assertThat(plan.received(gpu)).as("%s, GPU %d", what, gpu).isLessThanOrEqualTo((long) (sizes[gpu] * MOST));
        }
    }

    /// Draws a stratified sample as each GPU does.
    private static long[] sample(long[] keys, long[] sizes, int[] counts) {
        SplittableRandom random = new SplittableRandom(sizes.length);
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
        return sampled;
    }

    private static int bucketOf(long key, long[] splitters, boolean[] areEqual) {
        int low = 0;
        int high = splitters.length;
        while (low < high) {
            int middle = (low + high) / 2;
            if (splitters[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        boolean isEqual = low < splitters.length && splitters[low] == key && areEqual[low + 1];
        return isEqual ? low + 1 : low;
    }
}
