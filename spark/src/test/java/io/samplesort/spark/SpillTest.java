package io.samplesort.spark;

import static io.samplesort.spark.SortedBlocks.divided;
import static io.samplesort.spark.SortedBlocks.joined;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.blocks.Pairs;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sorts of partitions for which Spark grants too little memory.
class SpillTest {
    private static final int COUNT = 1 << 20;

    @TempDir
    private static Path folder;

    private static JavaSparkContext spark;
    private static final AtomicLong SPILLED = new AtomicLong();

    @BeforeAll
    static void start() {
        // 16 MiB for all tasks, so each gets less than it needs for 8 MiB of longs.
        spark = LocalSpark.threads(Map.of(
                "spark.testing.memory", "16000000",
                "spark.testing.reservedMemory", "0",
                "spark.samplesort.spillMemory", "64m",
                "spark.local.dir", folder.toString()));
        spark.sc().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                SPILLED.addAndGet(end.taskMetrics().diskBytesSpilled());
            }
        });
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static void assertSpilled(long bytes) throws Exception {
        spark.sc().listenerBus().waitUntilEmpty();
        assertThat(SPILLED.getAndSet(0)).isEqualTo(bytes);
    }

    private static void assertNoFilesAreLeft() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("samplesort-")))
                    .isEmpty();
        }
    }

    @Test
    void longs() throws Exception {
        BlockType<long[]> type = BlockType.longs();
        long[] keys = new long[COUNT];
        InputDistribution.UNIFORM.fill(MemorySegment.ofArray(keys), KeyType.I64, 5);
        JavaRDD<long[]> sorted = BlockSort.of(type)
                .partitions(1)
                .runBytes(1 << 20)
                .sort(spark.parallelize(divided(keys, type, 1 << 17), 4));

        Arrays.sort(keys);
        assertThat(Arrays.mismatch(joined(sorted, type), keys)).isEqualTo(-1);
        assertSpilled(COUNT * 8L);
        assertNoFilesAreLeft();
    }

    @Test
    void stablePairs() throws Exception {
        BlockType<Pairs<int[], long[]>> type = BlockType.pairs(BlockType.ints(), BlockType.longs());
        int[] keys = new int[COUNT];
        InputDistribution.FEW_DISTINCT.fill(MemorySegment.ofArray(keys), KeyType.I32, 5);
        Pairs<int[], long[]> all =
                new Pairs<>(keys, IntStream.range(0, COUNT).asLongStream().toArray());
        JavaRDD<Pairs<int[], long[]>> sorted = BlockSort.of(type)
                .stable()
                .partitions(1)
                .runBytes(1 << 20)
                .sort(spark.parallelize(divided(all, type, 1 << 17), 4));

        long[] expected = IntStream.range(0, COUNT)
                .boxed()
                .sorted(Comparator.comparingInt(i -> keys[i]))
                .mapToLong(Integer::longValue)
                .toArray();
        assertThat(Arrays.mismatch(joined(sorted, type).payloads(), expected)).isEqualTo(-1);
        assertSpilled(COUNT * 12L);
        assertNoFilesAreLeft();
    }
}
