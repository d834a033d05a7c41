package io.samplesort.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sorts of the plug-in on executors that fail in mid-sort, and with so little memory that rows go to files.
class PluginFaultTest {
    private static final int ROWS = 50_000;

    @TempDir
    private static Path folder;

    private static SparkSession spark;
    private static final AtomicLong spilled = new AtomicLong();
    private static final AtomicLong failed = new AtomicLong();

    @BeforeAll
    static void start() {
        spark = (SparkSession) org.apache.spark.sql.SparkSession.builder()
                .sparkContext(LocalSpark.executors(Map.of(
                                "spark.plugins", "io.samplesort.spark.SampleSortPlugin",
                                // Each executor has about 7 MB for what its task sorts.
                                "spark.memory.fraction", "0.01",
                                "spark.sql.autoBroadcastJoinThreshold", "-1",
                                "spark.sql.adaptive.enabled", "false",
                                "spark.sql.shuffle.partitions", "2"))
                        .sc())
                .getOrCreate();
        spark.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd task) {
                if (!task.taskInfo().successful()) {
                    failed.incrementAndGet();
                }
                if (task.taskMetrics() != null) {
                    spilled.addAndGet(task.taskMetrics().diskBytesSpilled());
                }
            }
        });
        spark.udf().register("troubled", new Troubled(folder.toString()), DataTypes.LongType);
        spark.range(0, ROWS, 1, 2)
                .selectExpr("id", "xxhash64(id) as h", "repeat(hex(id), 25) as name")
                .createOrReplaceTempView("t");
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /// Passes numbers on. When a certain one first comes by, there is the trouble that it stands for.
    private record Troubled(String folder) implements UDF1<Long, Long> {
        private static final long EXECUTOR_DIES = ROWS / 2 + 5;
        private static final long TASK_FAILS = ROWS / 2 + 3;

        @Override
        public Long call(Long id) throws IOException {
            if (id == EXECUTOR_DIES && isFirst("dies")) {
                Runtime.getRuntime().halt(1);
            }
            if (id == TASK_FAILS && isFirst("fails")) {
                throw new IllegalStateException("this task fails on purpose");
            }
            return id;
        }

        private boolean isFirst(String trouble) throws IOException {
            Path marker = Path.of(folder, trouble);
            if (!Files.exists(Path.of(folder, "armed"))) {
                return false;
            }
            try {
                Files.writeString(marker, "", StandardOpenOption.CREATE_NEW);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            }
        }
    }

    private static List<String> rows(String query, boolean withPlugin) {
        spark.conf().set("spark.samplesort.enabled", withPlugin);
        Dataset<Row> result = spark.sql(query);
        assertThat(((org.apache.spark.sql.classic.Dataset<Row>) result)
                        .queryExecution()
                        .executedPlan()
                        .toString()
                        .contains("SampleSort ["))
                .isEqualTo(withPlugin);
        return result.toJSON().collectAsList();
    }

    @Test
    void tasksAndExecutorsFailInMidSort() throws IOException {
        String query = "select troubled(id) as i, h from t sort by h, i";
        List<String> expected = rows(query, false);
        Files.createFile(folder.resolve("armed"));
        assertThat(rows(query, true).equals(expected)).isTrue();
        assertThat(folder.resolve("dies")).exists();
        assertThat(folder.resolve("fails")).exists();
        assertThat(failed.get()).isGreaterThanOrEqualTo(2);
    }

    /// A row that is larger than all memory of a task.
    @Test
    void hardlyAnyMemoryIsAnErrorThatSaysWhatToDo() {
        spark.conf().set("spark.samplesort.enabled", true);
        Dataset<Row> rows = spark.sql("select id, repeat('x', 20000000) as name from t where id = 7 order by id");
        assertThatThrownBy(rows::collectAsList)
                .hasMessageContaining("Spark does not grant this task")
                .hasMessageContaining("bytes of memory for the next 1 rows")
                .hasMessageContaining("spark.executor.memory");
    }

    @Test
    void rowsThatDoNotFitInMemoryGoToFiles() throws Exception {
        String query = "select id, h, hash(name) from t order by name desc, h";
        List<String> expected = rows(query, false);
        spark.sparkContext().listenerBus().waitUntilEmpty();
        spilled.set(0);
        assertThat(rows(query, true).equals(expected)).isTrue();
        spark.sparkContext().listenerBus().waitUntilEmpty();
        // How much it is depends on what else the executors keep in memory.
        assertThat(spilled.get()).isGreaterThan(ROWS * 10L);
    }

    /// Both sorts of a join have rows in memory at the same time, so that the first makes room for the second.
    @Test
    void twoSortsOfATaskShareItsMemory() {
        String query = "select a.id, hash(a.name), b.h from t a join t b on a.name = b.name and a.id = b.id";
        List<String> expected = rows(query, false).stream().sorted().toList();
        assertThat(rows(query, true).stream().sorted().toList().equals(expected))
                .isTrue();
    }
}
