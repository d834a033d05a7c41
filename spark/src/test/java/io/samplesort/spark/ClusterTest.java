package io.samplesort.spark;

import static io.samplesort.spark.SortedBlocks.divided;
import static io.samplesort.spark.SortedBlocks.join;
import static io.samplesort.spark.SortedBlocks.joined;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sorts on executors in processes of their own, which fail in every way that Spark promises to survive.
@Timeout(600)
class ClusterTest {
    private static final int COUNT = 60_003;
    private static final BlockType<long[]> TYPE = BlockType.longs();

    @TempDir
    private static Path folder;

    private static JavaSparkContext spark;

    @BeforeAll
    static void start() {
        spark = LocalSpark.executors(Map.of());
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /// What happens once in a test: the first task to come here does it.
    private enum Trouble {
        NONE {
            @Override
            void happen() {}
        },
        EXECUTOR_DIES {
            @Override
            void happen() {
                Runtime.getRuntime().halt(1);
            }
        },
        TASK_FAILS {
            @Override
            void happen() {
                throw new IllegalStateException("this task fails on purpose");
            }
        },
        /// Spark kills the loser of a race between two attempts in the same way.
        TASK_IS_KILLED {
            @Override
            void happen() {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };

        abstract void happen();
    }

    /// Passes blocks on. When the block that begins with a certain key first comes by, there is trouble.
    ///
    /// @param marker a file that says that it was there, and in which task
    private record Troubled(Trouble trouble, long firstKey, String marker) implements Function<long[], long[]> {
        @Override
        public long[] call(long[] block) throws IOException {
            if (trouble != Trouble.NONE && block[0] == firstKey) {
                try {
                    Files.writeString(
                            Path.of(marker),
                            Long.toString(TaskContext.get().taskAttemptId()),
                            StandardOpenOption.CREATE_NEW);
                } catch (FileAlreadyExistsException e) {
                    return block;
                }
                trouble.happen();
            }
            return block;
        }
    }

    private static long[] keys() {
        long[] keys = new long[COUNT];
        InputDistribution.ZIPF.fill(MemorySegment.ofArray(keys), KeyType.I64, 5);
        return keys;
    }

    /// Sorts with trouble in a task that reads the input, and in one that uses the result.
    private static void sortWith(Trouble atInput, Trouble atResult) {
        long[] keys = keys();
        List<long[]> blocks = divided(keys, TYPE, 4000);
        long[] expected = keys.clone();
        Arrays.sort(expected);
        String marker = folder.resolve(atInput + "-" + atResult).toString();

        JavaRDD<long[]> input =
                spark.parallelize(blocks, 4).map(new Troubled(atInput, blocks.get(6)[0], marker + "-input"));
        JavaRDD<long[]> sorted =
                BlockSort.of(TYPE).partitions(6).runBytes(40_000).sort(input);
        long firstOfLast = sorted.mapPartitionsWithIndex(
                        (index, partition) ->
                                index == 5 ? partition : List.<long[]>of().iterator(),
                        false)
                .first()[0];
        List<long[]> result = sorted.map(new Troubled(atResult, firstOfLast, marker + "-result"))
                .collect();

        assertThat(Arrays.mismatch(join(result, TYPE), expected)).isEqualTo(-1);
        assertThat(Files.exists(Path.of(marker + "-input"))).isEqualTo(atInput != Trouble.NONE);
        assertThat(Files.exists(Path.of(marker + "-result"))).isEqualTo(atResult != Trouble.NONE);
    }

    @Test
    void executorsSortAsTheJdkDoes() {
        long[] keys = keys();
        JavaRDD<long[]> sorted = SampleSortSpark.sort(spark.parallelize(divided(keys, TYPE, 10_000), 4), TYPE);
        long driver = ProcessHandle.current().pid();
        assertThat(sorted.map(block -> ProcessHandle.current().pid()).distinct().collect())
                .doesNotContain(driver);
        Arrays.sort(keys);
        assertThat(Arrays.mismatch(joined(sorted, TYPE), keys)).isEqualTo(-1);
    }

    @Test
    void anExecutorDiesWhileTheInputIsSorted() {
        sortWith(Trouble.EXECUTOR_DIES, Trouble.NONE);
    }

    /// The pieces of its runs are lost, too, and sorted anew.
    @Test
    void anExecutorDiesWhileTheResultIsUsed() {
        sortWith(Trouble.NONE, Trouble.EXECUTOR_DIES);
    }

    /// The blocks of rows that it has divided are lost, too, and divided anew.
    @Test
    void anExecutorDiesWhileRowsAreUsed() {
        SparkSession session = SparkSession.builder().sparkContext(spark.sc()).getOrCreate();
        Dataset<Row> input = session.range(0, COUNT, 1, 4).selectExpr("xxhash64(id) % 1000 as key", "id");
        List<Long> expected = input.sort("key", "id").select("id").collectAsList().stream()
                .map(row -> row.getLong(0))
                .toList();
        String marker = folder.resolve("rows").toString();
        Troubled trouble = new Troubled(Trouble.EXECUTOR_DIES, expected.get(COUNT / 2), marker);

        List<Long> found = SampleSortSpark.sort(input, "key")
                .toJavaRDD()
                .map(row -> trouble.call(new long[] {row.getLong(1)})[0])
                .collect();

        assertThat(found.equals(expected)).isTrue();
        assertThat(Files.exists(Path.of(marker))).isTrue();
    }

    @Test
    void tasksFailAndAreTriedAgain() {
        sortWith(Trouble.TASK_FAILS, Trouble.TASK_FAILS);
    }

    @Test
    void aKilledTaskIsTriedAgain() throws InterruptedException {
        Path marker = folder.resolve(Trouble.TASK_IS_KILLED + "-" + Trouble.NONE + "-input");
        Thread killer = Thread.ofPlatform().start(() -> kill(marker));
        // The task that waits does so until it is killed.
        sortWith(Trouble.TASK_IS_KILLED, Trouble.NONE);
        killer.join();
    }

    /// Kills the task that has left the marker.
    private static void kill(Path marker) {
        try {
            while (!Files.exists(marker) || Files.size(marker) == 0) {
                Thread.sleep(20);
            }
            spark.sc().killTaskAttempt(Long.parseLong(Files.readString(marker)), true, "killed on purpose");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
