package io.samplesort.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sorts of rows on executors that fail in mid-sort, with so little memory that rows go to files, and with speculation.
@Timeout(600)
class PluginFaultTest {
    private static final int ROWS = 60_000;
    /// One of the last rows of the last partition: the sort that it goes to has files by then.
    private static final long LATE = ROWS - 5;

    @TempDir
    private static Path folder;

    private static TwoHosts hosts;
    private static SparkSession spark;
    private static final Queue<SparkListenerTaskEnd> tasks = new ConcurrentLinkedQueue<>();
    private static final Queue<String> lostExecutors = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() {
        hosts = LocalSpark.hosts();
        spark = (SparkSession) org.apache.spark.sql.SparkSession.builder()
                .sparkContext(hosts.spark(Map.of(
                                "spark.plugins",
                                SampleSortPlugin.class.getName() + "," + MidSortTrouble.class.getName(),
                                MidSortTrouble.FOLDER,
                                folder.toString(),
                                // Each executor has about 7 MB for what its task sorts.
                                "spark.memory.fraction",
                                "0.01",
                                "spark.speculation",
                                "true",
                                "spark.speculation.minTaskRuntime",
                                "2s",
                                "spark.sql.autoBroadcastJoinThreshold",
                                "-1",
                                "spark.sql.adaptive.enabled",
                                "false",
                                "spark.sql.shuffle.partitions",
                                "2"))
                        .sc())
                .getOrCreate();
        spark.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd task) {
                tasks.add(task);
            }

            @Override
            public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
                lostExecutors.add(executor.executorId());
            }
        });
        spark.udf().register("troubled", new Troubled(folder.toString()), DataTypes.LongType);
        spark.range(0, ROWS, 1, 2)
                .selectExpr("id", "xxhash64(id) as h", "repeat(hex(id), 80) as name")
                .createOrReplaceTempView("t");
    }

    @AfterAll
    static void stop() {
        spark.stop();
        hosts.close();
    }

    @BeforeEach
    void forget() throws Exception {
        spark.sparkContext().listenerBus().waitUntilEmpty();
        tasks.clear();
        lostExecutors.clear();
    }

    /// Whatever happened, tasks leave no files.
    @AfterEach
    void noFilesAreLeft() {
        spark.conf().set("spark.samplesort.enabled", false);
        assertThat(spark.range(0, 2, 1, 2)
                        .toJavaRDD()
                        .flatMap(ignored -> MidSortTrouble.files().iterator())
                        .collect())
                .isEmpty();
    }

    private enum Trouble {
        TASK_FAILS {
            @Override
            void happen() {
                throw new IllegalStateException("this task fails on purpose");
            }
        },
        /// Spark starts a copy of the task, which overtakes this one, and kills it.
        TASK_IS_SLOW {
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

    /// Passes numbers on. When a late one comes by and a test asks for trouble by a file, there is trouble once, and
    /// the file tells afterwards whether the sort had temporary files.
    private record Troubled(String folder) implements UDF1<Long, Long> {
        @Override
        public Long call(Long id) throws IOException {
            if (id == LATE) {
                for (Trouble trouble : Trouble.values()) {
                    if (Files.exists(Path.of(folder, trouble.name()))
                            && MidSortTrouble.isFirst(Path.of(folder), trouble + "-happened")) {
                        Files.writeString(
                                Path.of(folder, trouble.name()),
                                "folders of files: " + MidSortTrouble.files().size());
                        trouble.happen();
                    }
                }
            }
            return id;
        }
    }

    private static List<Row> rows(String query, boolean withPlugin) {
        spark.conf().set("spark.samplesort.enabled", withPlugin);
        Dataset<Row> result = spark.sql(query);
        assertThat(((org.apache.spark.sql.classic.Dataset<Row>) result)
                        .queryExecution()
                        .executedPlan()
                        .toString()
                        .contains("SampleSort ["))
                .isEqualTo(withPlugin);
        return result.collectAsList();
    }

    private static void sortsDespite(Trouble trouble) throws IOException {
        String query = "select i from (select troubled(id) as i, h, name from t) sort by name desc, h";
        List<Row> expected = rows(query, false);
        Path file = folder.resolve(trouble.name());
        Files.createFile(file);
        assertThat(rows(query, true).equals(expected)).isTrue();
        assertThat(file).hasContent("folders of files: 1");
        Files.delete(file);
    }

    private static Stream<SparkListenerTaskEnd> tasks() throws Exception {
        spark.sparkContext().listenerBus().waitUntilEmpty();
        return tasks.stream();
    }

    @Test
    void aTaskFailsInMidSort() throws Exception {
        sortsDespite(Trouble.TASK_FAILS);
        assertThat(tasks().filter(task -> task.taskInfo().failed())).hasSize(1);
    }

    @Test
    void aCopyOvertakesASlowTask() throws Exception {
        sortsDespite(Trouble.TASK_IS_SLOW);
        assertThat(tasks().filter(task ->
                        task.taskInfo().speculative() && task.taskInfo().successful()))
                .isNotEmpty();
        // The slow one may tell of its end when the result is there already.
        while (tasks().noneMatch(task -> task.reason() instanceof TaskKilled)) {
            Thread.sleep(10);
        }
    }

    @Test
    void anExecutorIsKilledInMidSort() throws Exception {
        String query = "select id from t sort by name desc, h";
        killed(() -> rows(query, true), rows(query, false));
    }

    /// Blocks of rows that are in the shuffle are lost, too, and divided anew.
    @Test
    void anExecutorIsKilledInMidSortOfARange() throws Exception {
        String query = "select id from t order by name desc, h";
        List<Row> expected = rows(query, false);
        killed(
                () -> SampleSortSpark.sort(spark.table("t"), "name desc", "h")
                        .select("id")
                        .collectAsList(),
                expected);
    }

    private interface Sort {
        List<Row> run();
    }

    private static void killed(Sort sort, List<Row> expected) throws Exception {
        Path order = folder.resolve("kill");
        Path done = folder.resolve("killed");
        Files.deleteIfExists(done);
        Files.createFile(order);
        // A sort may be done before anybody has seen its files.
        while (!Files.exists(done)) {
            assertThat(sort.run().equals(expected)).isTrue();
        }
        assertThat(order).doesNotExist();
        spark.sparkContext().listenerBus().waitUntilEmpty();
        assertThat(lostExecutors).isNotEmpty();
    }

    /// A row that is larger than all memory of a task. Each task tries four times.
    @Tag("exhaustive")
    @Test
    void hardlyAnyMemoryIsAnErrorThatSaysWhatToDo() {
        spark.conf().set("spark.samplesort.enabled", true);
        Dataset<Row> rows = spark.sql("select id, repeat('x', 20000000) as name from t where id = 7 order by id, name");
        assertThatThrownBy(rows::collectAsList)
                .hasMessageContaining("Spark does not grant this task")
                .hasMessageContaining("bytes of memory for the next 1 rows")
                .hasMessageContaining("spark.executor.memory");
    }

    @Test
    void rowsThatDoNotFitInMemoryGoToFiles() throws Exception {
        String query = "select id, h, hash(name) from t order by name desc, h";
        List<Row> expected = rows(query, false);
        forget();
        assertThat(rows(query, true).equals(expected)).isTrue();
        // How much it is depends on what else the executors keep in memory.
        assertThat(tasks().mapToLong(task -> task.taskMetrics().diskBytesSpilled())
                        .sum())
                .isGreaterThan(ROWS * 160L);
    }

    /// Both sorts of a join have rows in memory at the same time, so that the first makes room for the second.
    @Test
    void twoSortsOfATaskShareItsMemory() {
        String query = "select a.id, hash(a.name), b.h from (select * from t where id % 4 = 0) a join t b"
                + " on a.name = b.name and a.id = b.id";
        assertThat(sorted(rows(query, true)).equals(sorted(rows(query, false)))).isTrue();
    }

    private static List<Row> sorted(List<Row> rows) {
        return rows.stream()
                .sorted(java.util.Comparator.comparingLong(row -> row.getLong(0)))
                .toList();
    }
}
