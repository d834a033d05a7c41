package io.samplesort.cpu.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTableTest {
    private static final int BUCKET_LOG = 8;

    private final SplitterTree tree = new SplitterTree(BUCKET_LOG);
    private final KeyTable table = new KeyTable();

    /// Builds the table of `keys`, each of which the sample has `times` times.
    private boolean build(long[] keys, int times, boolean areInts) {
        long[] sample = new long[keys.length * times];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = keys[i % keys.length];
        }
        Arrays.sort(sample);
        tree.build(sample, sample.length, 1, areInts, (1 << BUCKET_LOG) - 1);
        return table.build(sample, sample.length, areInts, tree);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16, 64})
    void countsLongsOfAnyKind(int size) {
        long[] keys = new SplittableRandom(size).longs().distinct().limit(size).toArray();
        keys[0] = Long.MIN_VALUE;
        assertThat(build(keys, 20, false)).isTrue();
        long[] input = new long[999];
        long[] expected = new long[1 << BUCKET_LOG];
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < input.length; i++) {
            input[i] = keys[random.nextInt(size)];
            expected[bucketOf(input[i])]++;
        }
        int[] counts = KeyTable.newCounts();
        assertThat(table.count(input, 0, input.length, counts)).isTrue();
        long[] found = new long[1 << BUCKET_LOG];
        table.moveCounts(counts, found);
        assertThat(found).isEqualTo(expected);
        assertThat(counts).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16, 64})
    void countsInts(int size) {
        long[] keys = new SplittableRandom(size)
                .ints()
                .distinct()
                .limit(size)
                .asLongStream()
                .toArray();
        assertThat(build(keys, 20, true)).isTrue();
        int[] input = new SplittableRandom(3)
                .ints(1001, 0, size)
                .map(i -> (int) keys[i])
                .toArray();
        int[] counts = KeyTable.newCounts();
        assertThat(table.count(input, 1, 1001, counts)).isTrue();
        long[] found = new long[1 << BUCKET_LOG];
        table.moveCounts(counts, found);
        long[] expected = new long[1 << BUCKET_LOG];
        for (int i = 1; i < 1001; i++) {
            expected[bucketOf(input[i])]++;
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void otherKeysUndoTheCount() {
        long[] keys = {-5, 0, 7, 1L << 40};
        assertThat(build(keys, 50, false)).isTrue();
        int[] counts = KeyTable.newCounts();
        SplittableRandom random = new SplittableRandom(4);
        for (int trial = 0; trial < 10_000; trial++) {
            long[] input = random.longs(21, 0, 4).map(i -> keys[(int) i]).toArray();
            input[trial % 21] = random.nextLong() >> random.nextInt(64);
            boolean isKnown = Arrays.stream(input).allMatch(v -> contains(keys, v));
            boolean counted = table.count(input, 0, input.length, counts);
            assertThat(counted).isEqualTo(isKnown);
            if (counted) {
                table.moveCounts(counts, new long[1 << BUCKET_LOG]);
            }
            assertThat(counts).containsOnly(0);
        }
    }

    private static boolean contains(long[] keys, long value) {
        return Arrays.stream(keys).anyMatch(key -> key == value);
    }

    @Test
    void refusesManyKeys() {
        assertThat(build(new SplittableRandom(5).longs(65).toArray(), 20, false))
                .isFalse();
    }

    @Test
    void refusesKeysWithoutEqualityBuckets() {
        long[] sample = new SplittableRandom(6).longs(30).sorted().toArray();
        tree.build(sample, sample.length, 1, false, 7);
        assertThat(table.build(sample, sample.length, false, tree)).isFalse();
    }

    private int bucketOf(long key) {
        long[] keys = new long[8];
        Arrays.fill(keys, key);
        short[] buckets = new short[8];
        tree.findBuckets(keys, 8, buckets, new int[8]);
        return buckets[0];
    }
}
