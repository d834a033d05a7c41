package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SplitterTreeTest {
    private static final long[] EDGES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1, 0, 1, 2, Long.MAX_VALUE - 1, Long.MAX_VALUE, 1L << 62, -1L << 62
    };

    @Test
    void findsTheBucketThatEnclosesTheKey() {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        for (int i = 0; i < 2000; i++) {
            long unit = random.nextBoolean() ? 1 : 1L << 32;
            long[] sample = keys(random, random.nextInt(1, 100));
            Arrays.sort(sample);
            SplitterTree tree = new SplitterTree(8);
            tree.build(sample, sample.length, unit, false, (1 << random.nextInt(3, 9)) - 1);
            long[] keys = keys(random, 160);
            System.arraycopy(sample, 0, keys, 0, Math.min(sample.length, 50));
            checkBuckets(tree, keys, unit);
        }
    }

    private static void checkBuckets(SplitterTree tree, long[] keys, long unit) {
        short[] buckets = new short[keys.length];
        tree.findBuckets(keys, keys.length, buckets, new int[keys.length]);
        long[] keyOfEqualityBucket = new long[tree.bucketCount()];
        boolean[] isUsed = new boolean[tree.bucketCount()];
        for (int i = 0; i < keys.length; i++) {
            int b = buckets[i];
            String message = "key " + keys[i] + " in bucket " + b + " -Dtests.seed=" + SortCase.SEED;
            if (b > 0) {
                assertThat(keys[i]).as(message).isGreaterThan(tree.splitter(b - 1));
            }
            if (b < tree.bucketCount() - 1) {
                assertThat(keys[i]).as(message).isLessThanOrEqualTo(tree.splitter(b));
            }
            if (tree.isEqualityBucket(b)) {
                long key = keys[i] | (unit - 1);
                assertThat(isUsed[b] ? keyOfEqualityBucket[b] : key).as(message).isEqualTo(key);
                keyOfEqualityBucket[b] = key;
                isUsed[b] = true;
            }
        }
    }

    /// Without that, a pass over such a range could leave everything in one bucket, again and again.
    @Test
    void splitsWheneverThereAreTwoKeysAndElseKnowsThatThereIsOne() {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        for (int i = 0; i < 2000; i++) {
            long a = EDGES[random.nextInt(EDGES.length)];
            long b = EDGES[random.nextInt(EDGES.length)];
            long[] sample = new long[random.nextInt(1, 70)];
            Arrays.setAll(sample, j -> random.nextInt(30) == 0 ? a : b);
            Arrays.sort(sample);
            SplitterTree tree = new SplitterTree(3);
            tree.build(sample, sample.length, 1, false, 7);
            short[] buckets = new short[8];
            tree.findBuckets(
                    new long[] {sample[0], sample[sample.length - 1], 0, 0, 0, 0, 0, 0}, 2, buckets, new int[8]);
            String message = a + " and " + b + " -Dtests.seed=" + SortCase.SEED;
            if (sample[0] == sample[sample.length - 1]) {
                assertThat(tree.isEqualityBucket(buckets[0])).as(message).isTrue();
            } else {
                assertThat(buckets[0]).as(message).isNotEqualTo(buckets[1]);
            }
        }
    }

    @Test
    void usesNoMoreLevelsThanTheSampleHasKeysFor() {
        SplitterTree tree = new SplitterTree(8);
        tree.build(new long[100], 100, 1, false, 255);
        assertThat(tree.bucketCount()).isLessThanOrEqualTo(4);
    }

    private static long[] keys(SplittableRandom random, int count) {
        int shift = random.nextInt(64);
        long offset = random.nextBoolean() ? 0 : random.nextLong();
        long[] keys = new long[count];
        Arrays.setAll(keys, i -> switch (random.nextInt(4)) {
            case 0 -> EDGES[random.nextInt(EDGES.length)];
            case 1 -> offset;
            default -> offset + (random.nextLong() >> shift);
        });
        return keys;
    }
}
