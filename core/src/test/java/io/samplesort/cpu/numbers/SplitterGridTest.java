package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SplitterGridTest {
    private static final int BUCKETS = 64;

    private final SplitterGrid grid = new SplitterGrid();
    private final SplittableRandom random = new SplittableRandom(21);

    private long[] sample(long least, long beyond) {
        long[] sample = random.longs(16 * BUCKETS, least, beyond).sorted().toArray();
        assertThat(grid.build(sample, sample.length, BUCKETS)).isTrue();
        return sample;
    }

    /// Checks that greater keys never get a smaller bucket, among `keys` and the greatest and least of all.
    private void checkThatBucketsAscend(long[] keys) {
        long[] sorted = Arrays.copyOf(keys, keys.length + 2);
        sorted[keys.length] = Long.MIN_VALUE;
        sorted[keys.length + 1] = Long.MAX_VALUE;
        Arrays.sort(sorted);
        int last = 0;
        for (long key : sorted) {
            int bucket = grid.bucketOf(key);
            assertThat(bucket).isBetween(last, BUCKETS - 1);
            last = bucket;
        }
    }

    @Test
    void greaterKeysNeverGetASmallerBucket() {
        for (long range : new long[] {10_000, 1L << 32, 1L << 62, Long.MAX_VALUE}) {
            for (long least : new long[] {Long.MIN_VALUE, -range / 2, 0}) {
                sample(least, least + range);
                checkThatBucketsAscend(random.longs(10_000).toArray());
                checkThatBucketsAscend(
                        random.longs(10_000, least, least + range).toArray());
            }
        }
    }

    @Test
    void keysOfTheWholeRangeOfLongsAreDivided() {
        long[] sample = random.longs(16 * BUCKETS).sorted().toArray();
        assertThat(grid.build(sample, sample.length, BUCKETS)).isTrue();
        checkThatBucketsAscend(random.longs(10_000).toArray());
        assertThat(grid.bucketOf(Long.MAX_VALUE)).isGreaterThan(BUCKETS / 2);
        assertThat(grid.bucketOf(Long.MIN_VALUE)).isZero();
    }

    @Test
    void bucketsGetEqualSharesOfASkewedSample() {
        long[] sample = random.doubles(16 * BUCKETS)
                .mapToLong(v -> (long) (1e12 * Math.pow(v, 1.5)))
                .sorted()
                .toArray();
        assertThat(grid.build(sample, sample.length, BUCKETS)).isTrue();
        int[] sizes = new int[BUCKETS];
        for (long key : sample) {
            sizes[grid.bucketOf(key)]++;
        }
        assertThat(Arrays.stream(sizes).max().orElseThrow()).isLessThanOrEqualTo(2 * 16);
    }

    @Test
    void aSampleWithAFrequentKeyIsRefused() {
        long[] sample = random.longs(16 * BUCKETS).toArray();
        Arrays.fill(sample, 0, 17, 42);
        Arrays.sort(sample);
        assertThat(grid.build(sample, sample.length, BUCKETS)).isFalse();
        assertThat(grid.build(new long[] {7, 7, 7, 7}, 4, 2)).isFalse();
    }

    @Test
    void aSampleWhoseKeysAreNearlyAllInOneCellIsRefused() {
        long[] sample = random.longs(16 * BUCKETS, 0, 1000).toArray();
        sample[0] = Long.MAX_VALUE;
        Arrays.sort(sample);
        assertThat(grid.build(sample, sample.length, BUCKETS)).isFalse();
    }
}
