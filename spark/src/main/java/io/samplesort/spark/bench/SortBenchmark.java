package io.samplesort.spark.bench;

import io.samplesort.spark.BlockSort;
import io.samplesort.spark.SampleSortSpark;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.rows.RowKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.RangePartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;
import scala.math.Ordering;
import scala.math.Ordering$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/// Sorts the same uniform random input in several ways, in turns.
///
/// `SortBenchmark longs COUNT REPETITIONS` sorts longs as blocks, as rows with samplesort and with Spark, and as pairs
/// of an RDD. `SortBenchmark rows COUNT REPETITIONS [ORDER]...` sorts rows of a long, a double and a string of 20
/// characters (`id`, `price`, `name`) with samplesort and with Spark, by `id` unless an order says otherwise. Before
/// the first turn, the inputs are cached in the form that each way needs, or they lie in Parquet files in the folder
/// that `spark.samplesort.benchmark.folder` names; these are made if the folder does not exist.
public final class SortBenchmark {
    private static final int BLOCK = 1 << 20;
    private static final String FOLDER = "spark.samplesort.benchmark.folder";

    private final JavaSparkContext spark;
    private final SparkSession session;
    private final Map<String, Runnable> ways = new LinkedHashMap<>();

    private SortBenchmark(SparkSession session) {
        this.session = session;
        this.spark = JavaSparkContext.fromSparkContext(session.sparkContext());
    }

    public static void main(String[] arguments) throws IOException, TimeoutException {
        if (arguments.length < 3 || !List.of("longs", "rows").contains(arguments[0])) {
            throw new IllegalArgumentException("usage: SortBenchmark longs|rows COUNT REPETITIONS [ORDER]...");
        }
        long count = Long.parseLong(arguments[1]);
        SparkConf settings = new SparkConf().setAppName("SortBenchmark");
        try (SparkSession session = SparkSession.builder().config(settings).getOrCreate()) {
            SortBenchmark benchmark = new SortBenchmark(session);
            if (arguments[0].equals("longs")) {
                benchmark.addLongs(count);
            } else {
                String[] order = Arrays.copyOfRange(arguments, 3, arguments.length);
                benchmark.addRows(count, order.length == 0 ? new String[] {"id"} : order);
            }
            benchmark.run(Integer.parseInt(arguments[2]));
        }
    }

    private void addLongs(long count) {
        int partitions = 2 * spark.defaultParallelism();
        int blocks = (int) Math.ceilDiv(count, BLOCK);
        JavaRDD<long[]> keys = spark.parallelize(
                        IntStream.range(0, blocks).boxed().toList(), Math.min(blocks, partitions))
                .map(block -> new SplittableRandom(block)
                        .longs(Math.min(BLOCK, count - (long) block * BLOCK))
                        .toArray());
        keys.persist(StorageLevel.MEMORY_ONLY()).count();
        BlockSort<long[]> sort = BlockSort.of(BlockType.longs()).partitions(partitions);
        ways.put("blocks", () -> sort.sort(keys).foreach(block -> {}));
        JavaRDD<Long> rows = keys.flatMap(block -> Arrays.stream(block).iterator());
        Dataset<Row> dataset =
                session.createDataset(rows.rdd(), Encoders.LONG()).toDF();
        addDataset(dataset.cache(), "value");
        addPairs(rows, partitions);
    }

    private void addRows(long count, String... order) {
        Dataset<Row> rows = session.range(0, count, 1, 2 * spark.defaultParallelism())
                .select(
                        functions.expr("xxhash64(id) as id"),
                        functions.expr("xxhash64(id, 1) / 1e6D as price"),
                        functions.expr("concat(lpad(hex(xxhash64(id, 2)), 16, '0'), lpad(hex(id % 65536), 4, '0'))"
                                + " as name"));
        String folder = spark.getConf().get(FOLDER, "");
        if (folder.isEmpty()) {
            addDataset(rows.cache(), order);
            return;
        }
        String files = folder + "/" + count;
        rows.write().mode(SaveMode.Ignore).parquet(files);
        addDataset(session.read().parquet(files), order);
    }

    private void addDataset(Dataset<Row> rows, String... order) {
        rows.count();
        Column[] columns = Arrays.stream(order)
                .map(text -> RowKey.parse(text, rows.schema(), true).column())
                .toArray(Column[]::new);
        ways.put("SampleSortSpark.sort", () -> use(SampleSortSpark.sort(rows, order)));
        ways.put("Dataset.sort", () -> use(rows.sort(columns)));
    }

    private static void use(Dataset<Row> sorted) {
        sorted.write().format("noop").mode("overwrite").save();
    }

    private void addPairs(JavaRDD<Long> rows, int partitions) {
        JavaPairRDD<Long, Boolean> pairs =
                rows.mapToPair(key -> new Tuple2<>(key, true)).persist(StorageLevel.MEMORY_ONLY());
        pairs.count();
        Ordering<Long> order = Ordering$.MODULE$.comparatorToOrdering(Comparator.<Long>naturalOrder());
        ClassTag<Long> tag = ClassTag$.MODULE$.apply(Long.class);
        ways.put(
                "repartitionAndSortWithinPartitions",
                () -> pairs.repartitionAndSortWithinPartitions(
                                new RangePartitioner<>(partitions, pairs.rdd(), true, 20, order, tag))
                        .foreachPartition(partition -> partition.forEachRemaining(pair -> {})));
    }

    private void run(int repetitions) throws TimeoutException {
        AtomicLong cpuNanos = new AtomicLong();
        session.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                cpuNanos.addAndGet(end.taskMetrics().executorCpuTime());
            }
        });
        Map<String, List<Double>> seconds = new LinkedHashMap<>();
        Map<String, List<Double>> cpuSeconds = new LinkedHashMap<>();
        for (int i = 0; i < repetitions; i++) {
            for (Map.Entry<String, Runnable> way : ways.entrySet()) {
                cpuNanos.set(0);
                long begin = System.nanoTime();
                way.getValue().run();
                seconds.computeIfAbsent(way.getKey(), ignored -> new ArrayList<>())
                        .add((System.nanoTime() - begin) * 1e-9);
                session.sparkContext().listenerBus().waitUntilEmpty();
                cpuSeconds
                        .computeIfAbsent(way.getKey(), ignored -> new ArrayList<>())
                        .add(cpuNanos.get() * 1e-9);
            }
        }
        seconds.forEach((way, all) -> {
            System.out.println(way + ": " + summary("seconds", all));
            System.out.println("    " + summary("seconds of CPU time of all tasks", cpuSeconds.get(way)));
        });
    }

    private static String summary(String unit, List<Double> all) {
        List<Double> sorted = all.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "%s: least %.2f, median %.2f, all %s",
                unit,
                sorted.getFirst(),
                sorted.get(sorted.size() / 2),
                all.stream()
                        .map(each -> String.format(Locale.ROOT, "%.2f", each))
                        .toList());
    }
}
