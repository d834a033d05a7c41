package io.samplesort.spark;

import static io.samplesort.spark.SortedBlocks.assertBalanced;
import static io.samplesort.spark.SortedBlocks.divided;
import static io.samplesort.spark.SortedBlocks.joined;
import static io.samplesort.spark.SortedBlocks.sizes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.blocks.Pairs;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts of blocks with two threads in this process, against the JDK's sorts.
class BlockSortTest {
    private static final int COUNT = 30_011;

    /// Up to this many partitions, Spark writes a shuffle in the simplest way.
    private static final int FEW_PARTITIONS = 20;

    private static JavaSparkContext spark;

    @BeforeAll
    static void start() {
        spark = LocalSpark.threads(Map.of("spark.shuffle.sort.bypassMergeThreshold", Integer.toString(FEW_PARTITIONS)));
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static long[] longs(InputDistribution distribution) {
        long[] keys = new long[COUNT];
        distribution.fillWithSpecials(MemorySegment.ofArray(keys), KeyType.I64, 7);
        return keys;
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SORTED", "ZIPF", "ALL_EQUAL"})
    void longsOfEveryOtherDistribution(InputDistribution distribution) {
        longsOfEveryDistribution(distribution);
    }

    /// Runs that follow each other, keys that are frequent, and one that no cut divides.
    @ParameterizedTest
    @EnumSource(names = {"SORTED", "ZIPF", "ALL_EQUAL"})
    void longsOfEveryDistribution(InputDistribution distribution) {
        BlockType<long[]> type = BlockType.longs();
        long[] keys = new long[COUNT];
        distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, 11);
        JavaRDD<long[]> blocks = spark.parallelize(divided(keys, type, 1000), 5);

        JavaRDD<long[]> sorted =
                BlockSort.of(type).partitions(7).runBytes(20_000).sort(blocks);

        Arrays.sort(keys);
        assertThat(Arrays.mismatch(joined(sorted, type), keys)).isEqualTo(-1);
        assertBalanced(sizes(sorted, type), 1.5);
    }

    @Test
    void ints() {
        BlockType<int[]> type = BlockType.ints();
        int[] keys = new int[COUNT];
        InputDistribution.UNIFORM.fillWithSpecials(MemorySegment.ofArray(keys), KeyType.I32, 3);
        JavaRDD<int[]> sorted = SampleSortSpark.sort(spark.parallelize(divided(keys, type, 999), 4), type);

        Arrays.sort(keys);
        assertThat(Arrays.mismatch(joined(sorted, type), keys)).isEqualTo(-1);
        assertThat(sorted.getNumPartitions()).isEqualTo(4);
    }

    @Test
    void unsignedDescending() {
        BlockType<int[]> type = BlockType.ints().unsigned().reversed();
        int[] keys = new int[COUNT];
        InputDistribution.UNIFORM.fillWithSpecials(MemorySegment.ofArray(keys), KeyType.U32, 3);
        JavaRDD<int[]> sorted = SampleSortSpark.sort(spark.parallelize(divided(keys, type, 999), 4), type);

        int[] expected = IntStream.of(keys)
                .boxed()
                .sorted((a, b) -> Integer.compareUnsigned(b, a))
                .mapToInt(Integer::intValue)
                .toArray();
        assertThat(Arrays.mismatch(joined(sorted, type), expected)).isEqualTo(-1);
    }

    @Test
    void doublesWithSpecials() {
        BlockType<double[]> type = BlockType.doubles();
        double[] keys = new double[COUNT];
        InputDistribution.GAUSSIAN.fillWithSpecials(MemorySegment.ofArray(keys), KeyType.F64, 3);
        JavaRDD<double[]> sorted = SampleSortSpark.sort(spark.parallelize(divided(keys, type, 999), 4), type);

        Arrays.sort(keys);
        assertThat(Arrays.mismatch(joined(sorted, type), keys)).isEqualTo(-1);
    }

    @Test
    void floatsDescending() {
        BlockType<float[]> type = BlockType.floats().reversed();
        float[] keys = new float[COUNT];
        InputDistribution.FEW_DISTINCT.fillWithSpecials(MemorySegment.ofArray(keys), KeyType.F32, 3);
        JavaRDD<float[]> sorted = SampleSortSpark.sort(spark.parallelize(divided(keys, type, 999), 4), type);

        Arrays.sort(keys);
        float[] found = joined(sorted, type);
        float[] reversed = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            reversed[i] = found[COUNT - 1 - i];
        }
        assertThat(Arrays.mismatch(reversed, keys)).isEqualTo(-1);
    }

    /// NaNs of different bits have an order, too, which no cut between partitions may break.
    @Test
    void notANumbersInTheOrderOfTheirBits() {
        BlockType<double[]> type = BlockType.doubles();
        // Java's serialization makes all NaNs the same, so they begin and end as longs.
        long[] bits =
                new Random(5).longs(4000).map(key -> 0x7ff8000000000000L | key).toArray();
        JavaRDD<double[]> keys = spark.parallelize(divided(bits, BlockType.longs(), 100), 4)
                .map(block -> Arrays.stream(block)
                        .mapToDouble(Double::longBitsToDouble)
                        .toArray());
        JavaRDD<long[]> sorted = BlockSort.of(type).partitions(5).sort(keys).map(BlockSortTest::bits);

        double[] expected =
                Arrays.stream(bits).mapToDouble(Double::longBitsToDouble).toArray();
        SampleSort.sort(expected);
        assertThat(Arrays.mismatch(joined(sorted, BlockType.longs()), bits(expected)))
                .isEqualTo(-1);
    }

    private static long[] bits(double[] keys) {
        return Arrays.stream(keys).mapToLong(Double::doubleToRawLongBits).toArray();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pairs(boolean isStable) {
        BlockType<Pairs<long[], int[]>> type = BlockType.pairs(BlockType.longs(), BlockType.ints());
        long[] keys = longs(InputDistribution.ROOT_DUPLICATES);
        Pairs<long[], int[]> all =
                new Pairs<>(keys.clone(), IntStream.range(0, COUNT).toArray());
        BlockSort<Pairs<long[], int[]>> sort = BlockSort.of(type).partitions(6).runBytes(40_000);
        JavaRDD<Pairs<long[], int[]>> sorted =
                (isStable ? sort.stable() : sort).sort(spark.parallelize(divided(all, type, 500), 5));

        Pairs<long[], int[]> found = joined(sorted, type);
        int[] stable = IntStream.range(0, COUNT)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        assertThat(found.keys())
                .isEqualTo(Arrays.stream(stable).mapToLong(i -> keys[i]).toArray());
        if (isStable) {
            assertThat(Arrays.mismatch(found.payloads(), stable)).isEqualTo(-1);
        } else {
            assertThat(Arrays.stream(found.payloads()).mapToLong(i -> keys[i]).toArray())
                    .isEqualTo(found.keys());
            assertThat(found.payloads()).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void recordsStayInOrderWhereKeysAreEqual(int keyBytes) {
        BlockType<byte[]> type = BlockType.records(100, 3, keyBytes);
        byte[] records = new byte[100 * 5000];
        new Random(9).nextBytes(records);
        for (int i = 0; i < 5000; i++) {
            // Few keys, each often.
            Arrays.fill(records, i * 100 + 3, i * 100 + 3 + keyBytes - 1, (byte) 0x80);
            records[i * 100 + 3 + keyBytes - 1] &= (byte) 0xc1;
        }
        JavaRDD<byte[]> sorted = BlockSort.of(type)
                .partitions(6)
                .runBytes(30_000)
                .sort(spark.parallelize(divided(records, type, 77), 5));

        byte[] expected = new byte[records.length];
        List<Integer> order = IntStream.range(0, 5000)
                .boxed()
                .sorted((a, b) -> Arrays.compareUnsigned(
                        records, a * 100 + 3, a * 100 + 3 + keyBytes, records, b * 100 + 3, b * 100 + 3 + keyBytes))
                .toList();
        for (int i = 0; i < 5000; i++) {
            System.arraycopy(records, order.get(i) * 100, expected, i * 100, 100);
        }
        assertThat(Arrays.mismatch(joined(sorted, type), expected)).isEqualTo(-1);
        assertBalanced(sizes(sorted, type), 1.5);
    }

    @Test
    void nothingAtAll() {
        BlockType<long[]> type = BlockType.longs();
        assertThat(SampleSortSpark.sort(spark.<long[]>emptyRDD(), type).collect())
                .isEmpty();
        assertThat(SampleSortSpark.sort(spark.parallelize(List.of(new long[0], new long[0]), 3), type)
                        .collect())
                .isEmpty();
    }

    @Test
    void fewerElementsThanPartitions() {
        BlockType<long[]> type = BlockType.longs();
        JavaRDD<long[]> blocks = spark.parallelize(List.of(new long[] {5}, new long[] {}, new long[] {3, 4}), 6);
        JavaRDD<long[]> sorted = BlockSort.of(type).partitions(20).sort(blocks);
        assertThat(joined(sorted, type)).containsExactly(3, 4, 5);
        assertThat(sorted.getNumPartitions()).isEqualTo(20);
    }

    /// More partitions than Spark's simplest writer of shuffles takes.
    @Test
    void manyPartitions() {
        BlockType<long[]> type = BlockType.longs();
        long[] keys = longs(InputDistribution.UNIFORM);
        JavaRDD<long[]> sorted =
                BlockSort.of(type).partitions(2 * FEW_PARTITIONS).sort(spark.parallelize(divided(keys, type, 4000), 3));
        Arrays.sort(keys);
        assertThat(Arrays.mismatch(joined(sorted, type), keys)).isEqualTo(-1);
    }

    @Test
    void theInputIsEvaluatedOnceAndStaysAsItIs() {
        BlockType<long[]> type = BlockType.longs();
        LongAccumulator evaluated = spark.sc().longAccumulator();
        List<long[]> input = divided(longs(InputDistribution.UNIFORM), type, 1000);
        List<long[]> before = input.stream().map(long[]::clone).toList();
        JavaRDD<long[]> blocks = spark.parallelize(input, 4)
                .map(block -> {
                    evaluated.add(1);
                    return block;
                })
                .cache();
        JavaRDD<long[]> sorted = SampleSortSpark.sort(blocks, type);
        assertThat(evaluated.value()).isEqualTo(input.size());

        assertThat(sorted.count()).isEqualTo(4);
        assertThat(sorted.count()).isEqualTo(4);
        assertThat(evaluated.value()).isEqualTo(input.size());
        assertThat(blocks.collect()).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    @Timeout(600)
    void storedRunsAreGivenBack() throws InterruptedException {
        BlockType<long[]> type = BlockType.longs();
        JavaRDD<long[]> blocks = spark.parallelize(divided(longs(InputDistribution.UNIFORM), type, 1000), 4);
        Set<Integer> before = storedRuns();
        JavaRDD<long[]> sorted = SampleSortSpark.sort(blocks, type);
        // Those of earlier tests may be given back at any time.
        Set<Integer> own = storedRuns();
        own.removeAll(before);
        assertThat(own).hasSize(1);
        sorted.count();
        // Spark gives them back when it comes to it.
        while (storedRuns().containsAll(own)) {
            Thread.sleep(10);
        }
    }

    private static Set<Integer> storedRuns() {
        return new HashSet<>(spark.getPersistentRDDs().keySet());
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> BlockType.records(100, 95, 10)).hasMessageContaining("key of 10 bytes from byte 95");
        assertThatThrownBy(() -> BlockType.doubles().unsigned()).hasMessageContaining("double[]");
        assertThatThrownBy(() -> BlockSort.of(BlockType.longs()).partitions(0)).hasMessageContaining("0 partitions");
        BlockType<byte[]> records = BlockType.records(10, 0, 4);
        assertThatThrownBy(() -> SampleSortSpark.sort(spark.parallelize(List.of(new byte[15])), records))
                .hasMessageContaining("15 bytes")
                .hasMessageContaining("10");
        BlockType<Pairs<long[], int[]>> pairs = BlockType.pairs(BlockType.longs(), BlockType.ints());
        assertThatThrownBy(() -> BlockType.pairs(BlockType.longs(), pairs)).hasMessageContaining("pairs of long[]");
        assertThatThrownBy(() ->
                        SampleSortSpark.sort(spark.parallelize(List.of(new Pairs<>(new long[2], new int[3]))), pairs))
                .hasMessageContaining("2 keys and 3 payloads");
    }
}
