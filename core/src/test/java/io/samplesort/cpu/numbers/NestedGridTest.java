package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NestedGridTest {
    private static final int BUCKETS = 64;
    private static final int COUNT = 16 * BUCKETS;

    private final NestedGrid grid = new NestedGrid(7);
    private final RandomGenerator random = new SplittableRandom(31);

    private short[] bucketsOf(long[] keys) {
        short[] buckets = new short[keys.length + 7];
        grid.findBuckets(keys, keys.length, buckets, new int[keys.length + 7]);
        return Arrays.copyOf(buckets, keys.length);
    }

    /// Checks that the sample is divided into shares of at most three times the mean, and that greater keys never get
    /// a smaller bucket.
    private void checkThatItDivides(long[] sample) {
        Arrays.sort(sample);
        assertThat(grid.build(sample, sample.length, 1, BUCKETS)).isTrue();
        int[] sizes = new int[BUCKETS];
        for (short bucket : bucketsOf(sample)) {
            sizes[bucket]++;
        }
        assertThat(Arrays.stream(sizes).max().orElseThrow()).isLessThanOrEqualTo(3 * sample.length / BUCKETS);
        long[] keys = LongStream.concat(
                        LongStream.of(Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE),
                        LongStream.concat(
                                random.longs(5000), Arrays.stream(sample).flatMap(k -> LongStream.of(k, k + 1))))
                .sorted()
                .toArray();
        short[] buckets = bucketsOf(keys);
        for (int i = 1; i < keys.length; i++) {
            assertThat(buckets[i]).isBetween(buckets[i - 1], (short) (BUCKETS - 1));
        }
    }

    @Test
    void uniformKeysOfAnyRangeAreDivided() {
        checkThatItDivides(random.longs(COUNT).toArray());
        checkThatItDivides(random.longs(COUNT, 0, 20_000).toArray());
        checkThatItDivides(
                random.longs(COUNT, Long.MIN_VALUE, Long.MIN_VALUE + (1L << 40)).toArray());
    }

    @Test
    void floatingPointNumbersOfBothSignsAreDivided() {
        checkThatItDivides(
                random.doubles(COUNT, -1, 1).mapToLong(NestedGridTest::inOrder).toArray());
        checkThatItDivides(random.doubles(COUNT)
                .map(v -> random.nextGaussian())
                .mapToLong(NestedGridTest::inOrder)
                .toArray());
    }

    private static long inOrder(double value) {
        long bits = Double.doubleToRawLongBits(value);
        return bits ^ bits >> 63 >>> 1;
    }

    @Test
    void exponentialKeysAndOutliersAreDivided() {
        checkThatItDivides(random.doubles(COUNT)
                .mapToLong(v -> (long) (-1e15 * Math.log(1 - v)))
                .toArray());
        long[] withOutliers = random.longs(COUNT, 0, 1L << 40).toArray();
        withOutliers[3] = 1L << 48;
        checkThatItDivides(withOutliers);
    }

    @Test
    void intsGetTheBucketsOfTheSameLongs() {
        int[] keys = random.ints(3000).toArray();
        long[] sample = Arrays.stream(keys).limit(COUNT).asLongStream().sorted().toArray();
        assertThat(grid.build(sample, sample.length, 1, BUCKETS)).isTrue();
        short[] buckets = new short[keys.length];
        grid.findBuckets(keys, keys.length, buckets, new int[keys.length]);
        assertThat(buckets)
                .isEqualTo(bucketsOf(Arrays.stream(keys).asLongStream().toArray()));
    }

    @Test
    void frequentKeysGetBucketsOfTheirOwn() {
        long[] sample = random.longs(COUNT, 1, 500).toArray();
        Arrays.fill(sample, 0, COUNT / 4, 1);
        Arrays.fill(sample, COUNT / 4, COUNT / 2, 40);
        Arrays.sort(sample);
        assertThat(grid.build(sample, COUNT, 1, BUCKETS)).isTrue();
        long[] keys = LongStream.concat(LongStream.range(-3, 504), LongStream.of(Long.MIN_VALUE, Long.MAX_VALUE))
                .sorted()
                .toArray();
        short[] buckets = bucketsOf(keys);
        int equality = 0;
        for (int i = 1; i < keys.length; i++) {
            assertThat(buckets[i]).isGreaterThanOrEqualTo(buckets[i - 1]);
            if (grid.isEqualityBucket(buckets[i])) {
                assertThat(keys[i]).isEqualTo(grid.keyOf(buckets[i]));
                equality++;
            }
        }
        assertThat(equality).isGreaterThanOrEqualTo(2);
        assertThat(grid.isEqualityBucket(bucketsOf(new long[] {1})[0])).isTrue();
        assertThat(grid.isEqualityBucket(bucketsOf(new long[] {40})[0])).isTrue();
    }

    @Test
    void oneKeyAtEitherEndOfTheRangeIsABucketOfItsOwn() {
        for (long key : new long[] {Long.MIN_VALUE, -1, 7, Long.MAX_VALUE}) {
            assertThat(grid.build(new long[] {key, key, key, key}, 4, 1, 8)).isTrue();
            long[] keys = {Long.MIN_VALUE, key - 1, key, key + 1, Long.MAX_VALUE};
            short[] buckets = bucketsOf(keys);
            for (int i = 0; i < keys.length; i++) {
                assertThat(grid.isEqualityBucket(buckets[i])).isEqualTo(keys[i] == key);
            }
        }
    }

    @Test
    void keysInTheUpperHalvesOfLongsKeepTheirPayloads() {
        long unit = 1L << 32;
        long[] sample = random.longs(COUNT, 0, 20)
                .map(key -> key << 32 | random.nextInt() & unit - 1)
                .sorted()
                .toArray();
        assertThat(grid.build(sample, COUNT, unit, BUCKETS)).isTrue();
        short[] buckets = bucketsOf(sample);
        for (int i = 1; i < COUNT; i++) {
            assertThat(buckets[i]).isGreaterThanOrEqualTo(buckets[i - 1]);
            if (buckets[i] == buckets[i - 1] && grid.isEqualityBucket(buckets[i])) {
                assertThat(sample[i] >> 32).isEqualTo(sample[i - 1] >> 32);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1L << 32})
    void anyKeysAreDividedInOrder(long unit) {
        SplittableRandom seeds = new SplittableRandom(unit);
        for (int trial = 0; trial < 2000; trial++) {
            int limit = 8 << seeds.nextInt(4);
            long spread = 1L << seeds.nextInt(30);
            long[] pool = seeds.longs(1 + seeds.nextInt(60), -spread, spread).toArray();
            long[] keys = seeds.ints(500, 0, pool.length)
                    .mapToLong(i -> pool[i] * unit + seeds.nextLong(unit))
                    .sorted()
                    .toArray();
            long[] sample = seeds.ints(4L * limit, 0, keys.length)
                    .mapToLong(i -> keys[i])
                    .sorted()
                    .toArray();
            if (!grid.build(sample, sample.length, unit, limit)) {
                continue;
            }
            assertThat(grid.bucketCount()).isLessThanOrEqualTo(limit);
            short[] buckets = bucketsOf(keys);
            for (int i = 0; i < keys.length; i++) {
                assertThat(buckets[i]).isBetween(i == 0 ? 0 : buckets[i - 1], (short) (grid.bucketCount() - 1));
                if (grid.isEqualityBucket(buckets[i])) {
                    assertThat(keys[i] & -unit).isEqualTo(grid.keyOf(buckets[i]));
                }
            }
        }
    }

    @Test
    void aFrequentKeyAmongManyIsRefused() {
        long[] sample = random.longs(COUNT).toArray();
        Arrays.fill(sample, 0, COUNT / BUCKETS + 1, 42);
        Arrays.sort(sample);
        assertThat(grid.build(sample, sample.length, 1, BUCKETS)).isFalse();
    }
}
