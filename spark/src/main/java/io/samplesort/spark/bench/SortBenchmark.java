package io.samplesort.spark.bench;

import io.samplesort.spark.BlockSort;
import io.samplesort.spark.SampleSortSpark;
import io.samplesort.spark.blocks.BlockType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.RangePartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;
import scala.math.Ordering;
import scala.math.Ordering$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/// Sorts the same uniform random longs in four ways, by turns: as blocks, as rows with samplesort and with Spark, and
/// as
/// pairs of an RDD.
/// `SortBenchmark COUNT REPETITIONS`. The inputs are cached as the way wants them before the first turn.
public final class SortBenchmark {
    private static final int BLOCK = 1 << 20;

    private final JavaSparkContext spark;
    private final SparkSession session;
    private final int partitions;
    private final Map<String, Runnable> ways = new LinkedHashMap<>();

    private SortBenchmark(SparkSession session, long count) {
        this.session = session;
        this.spark = JavaSparkContext.fromSparkContext(session.sparkContext());
        this.partitions = 2 * spark.defaultParallelism();
        int blocks = (int) Math.ceilDiv(count, BLOCK);
        JavaRDD<long[]> keys = spark.parallelize(
                        IntStream.range(0, blocks).boxed().toList(), Math.min(blocks, partitions))
                .map(block -> new SplittableRandom(block)
                        .longs(Math.min(BLOCK, count - (long) block * BLOCK))
                        .toArray());
        addBlocks(keys.persist(StorageLevel.MEMORY_ONLY()));
        JavaRDD<Long> rows = keys.flatMap(block -> Arrays.stream(block).iterator());
        addDataset(rows);
        addPairs(rows);
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("usage: SortBenchmark COUNT REPETITIONS");
        }
        SparkConf settings = new SparkConf().setAppName("SortBenchmark");
        try (SparkSession session = SparkSession.builder().config(settings).getOrCreate()) {
            new SortBenchmark(session, Long.parseLong(arguments[0])).run(Integer.parseInt(arguments[1]));
        }
    }

    private void addBlocks(JavaRDD<long[]> keys) {
        keys.count();
        BlockSort<long[]> sort = BlockSort.of(BlockType.longs()).partitions(partitions);
        ways.put("blocks", () -> sort.sort(keys).foreach(block -> {}));
    }

    private void addDataset(JavaRDD<Long> rows) {
        session.conf().set("spark.sql.shuffle.partitions", partitions);
        Dataset<Long> dataset =
                session.createDataset(rows.rdd(), Encoders.LONG()).cache();
        dataset.count();
        ways.put(
                "SampleSortSpark.sort of a Dataset",
                () -> SampleSortSpark.sort(dataset.toDF(), "value")
                        .write()
                        .format("noop")
                        .mode("overwrite")
                        .save());
        ways.put(
                "Dataset.sort",
                () -> dataset.sort("value")
                        .write()
                        .format("noop")
                        .mode("overwrite")
                        .save());
    }

    private void addPairs(JavaRDD<Long> rows) {
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

    private void run(int repetitions) {
        Map<String, List<Double>> seconds = new LinkedHashMap<>();
        for (int i = 0; i < repetitions; i++) {
            for (Map.Entry<String, Runnable> way : ways.entrySet()) {
                long begin = System.nanoTime();
                way.getValue().run();
                seconds.computeIfAbsent(way.getKey(), ignored -> new ArrayList<>())
                        .add((System.nanoTime() - begin) * 1e-9);
            }
        }
        seconds.forEach((way, all) -> System.out.printf(
                Locale.ROOT,
                "%-36s least %6.2f s, median %6.2f s, all %s%n",
                way,
                all.stream().min(Comparator.naturalOrder()).orElseThrow(),
                all.stream().sorted().toList().get(all.size() / 2),
                all.stream()
                        .map(each -> String.format(Locale.ROOT, "%.2f", each))
                        .toList()));
    }
}
