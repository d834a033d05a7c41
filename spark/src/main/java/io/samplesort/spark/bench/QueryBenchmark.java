package io.samplesort.spark.bench;

import io.samplesort.spark.SampleSortPlugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/// Runs queries with sorts like those of TPC-DS, on generated tables, with the plug-in and by Spark alone in turns.
/// `QueryBenchmark ROWS REPETITIONS`, where ROWS is the size of the largest table. It prints seconds of the clock and
/// of the executors' processors. The tables are cached beforehand.
public final class QueryBenchmark {
    private static final Map<String, String> QUERIES = queries();

    private final SparkSession spark;
    private final AtomicLong processorNanos = new AtomicLong();

    private QueryBenchmark(SparkSession spark, long rows) {
        this.spark = spark;
        spark.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd task) {
                if (task.taskMetrics() != null) {
                    processorNanos.addAndGet(task.taskMetrics().executorCpuTime());
                }
            }
        });
        int partitions = 2 * spark.sparkContext().defaultParallelism();
        spark.conf().set("spark.sql.shuffle.partitions", partitions);
        // Joins of tables of this size would be broadcast, while those of TPC-DS at its usual sizes are not.
        spark.conf().set("spark.sql.autoBroadcastJoinThreshold", -1);
        spark.range(0, rows, 1, partitions)
                .selectExpr(
                        "id as ticket",
                        "cast(abs(xxhash64(id, 1)) % 18000 as int) as item",
                        "if(id % 50 = 0, null, cast(abs(xxhash64(id, 2)) % 100000 as int)) as customer",
                        "date_add(date'1998-01-01', cast(abs(xxhash64(id, 3)) % 1826 as int)) as day",
                        "cast(abs(xxhash64(id, 4)) % 100 as int) as quantity",
                        "if(id % 40 = 0, null, cast(abs(xxhash64(id, 5)) % 10000 / 100 as decimal(7, 2))) as price",
                        "rand(7) * 1000 as profit",
                        "concat(lpad(hex(xxhash64(id, 6)), 16, '0'), 'abcd') as code")
                .cache()
                .createOrReplaceTempView("sales");
        spark.sql("select ticket, item, cast(quantity / 2 as int) as returned, price from sales where ticket % 8 = 0")
                .cache()
                .createOrReplaceTempView("returns");
        spark.range(18000)
                .selectExpr(
                        "cast(id as int) as item",
                        "concat('category ', id % 10) as category",
                        "concat('class ', id % 100) as class",
                        "concat('brand ', xxhash64(id) % 700) as brand")
                .cache()
                .createOrReplaceTempView("items");
        for (String table : List.of("sales", "returns", "items")) {
            spark.table(table).count();
        }
    }

    private static Map<String, String> queries() {
        Map<String, String> queries = new LinkedHashMap<>();
        queries.put(
                "order by a long",
                "select ticket, profit from (select ticket, profit, xxhash64(ticket) as h from sales) order by h");
        queries.put("order by one double", "select ticket, profit, code from sales order by profit");
        queries.put("order by one integer", "select item, profit from sales order by item");
        queries.put("order by one string", "select ticket, profit, code from sales order by code");
        queries.put("order by three columns", "select * from sales order by day, price desc nulls last, code");
        queries.put(
                "order by groups (q98)",
                "select category, class, brand, sum(price) as revenue from sales join items using (item)"
                        + " group by category, class, brand, day order by category, class, brand, revenue");
        queries.put(
                "rank in a window (q67)",
                "select customer, item, rank() over (partition by item order by profit desc) as place from sales");
        queries.put(
                "running sum in a window (q51)",
                "select item, day, sum(price) over (partition by item order by day, ticket"
                        + " rows between unbounded preceding and current row) as so_far from sales");
        queries.put(
                "merge join by two columns (q17)",
                "select s.customer, s.profit, r.returned from sales s join returns r"
                        + " on s.ticket = r.ticket and s.item = r.item");
        queries.put(
                "merge join, group, order (q64)",
                "select s.customer, sum(s.profit) as gain from sales s join returns r on s.ticket = r.ticket"
                        + " group by s.customer order by gain desc, customer");
        queries.put("sort within partitions", "select * from sales sort by item, day");
        queries.put("sort of sorted rows", "select ticket, profit from sales sort by ticket, profit");
        queries.put("order by, with a limit", "select * from sales order by profit desc, ticket limit 100");
        queries.put(
                "200 small partitions",
                "select item, row_number() over (partition by day order by price, ticket) as place from"
                        + " (select /*+ repartition(200, day) */ * from sales where ticket % 100 = 0)");
        return queries;
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: QueryBenchmark ROWS REPETITIONS [PART OF A QUERY'S NAME]");
        }
        SparkConf settings =
                new SparkConf().setAppName("QueryBenchmark").set("spark.plugins", SampleSortPlugin.class.getName());
        try (SparkSession session = SparkSession.builder().config(settings).getOrCreate()) {
            QueryBenchmark benchmark = new QueryBenchmark(session, Long.parseLong(arguments[0]));
            System.out.printf("%-34s %28s %28s%n", "", "seconds of the clock", "seconds of processors");
            System.out.printf(
                    "%-34s %9s %9s %8s %9s %9s %8s%n",
                    "query", "Spark", "plug-in", "ratio", "Spark", "plug-in", "ratio");
            QUERIES.forEach((name, query) -> {
                if (arguments.length == 2 || name.contains(arguments[2])) {
                    benchmark.measure(name, query, Integer.parseInt(arguments[1]));
                }
            });
        }
    }

    /// Takes the shortest of several repetitions, after one that does not count.
    private void measure(String name, String query, int repetitions) {
        List<Cost> alone = new ArrayList<>();
        List<Cost> withPlugin = new ArrayList<>();
        for (int i = 0; i <= repetitions; i++) {
            alone.add(run(query, false));
            withPlugin.add(run(query, true));
        }
        Cost spark = Cost.least(alone.subList(1, alone.size()));
        Cost ours = Cost.least(withPlugin.subList(1, withPlugin.size()));
        System.out.printf(
                Locale.ROOT,
                "%-34s %9.2f %9.2f %8.2f %9.2f %9.2f %8.2f%n",
                name,
                spark.clock,
                ours.clock,
                spark.clock / ours.clock,
                spark.processors,
                ours.processors,
                spark.processors / ours.processors);
    }

    private Cost run(String query, boolean withPlugin) {
        spark.conf().set("spark.samplesort.enabled", withPlugin);
        drainEvents();
        processorNanos.set(0);
        long begin = System.nanoTime();
        spark.sql(query).write().format("noop").mode("overwrite").save();
        double clock = (System.nanoTime() - begin) * 1e-9;
        drainEvents();
        return new Cost(clock, processorNanos.get() * 1e-9);
    }

    /// Waits until Spark has reported all tasks that have ended.
    private void drainEvents() {
        try {
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("Spark is late with its events", e);
        }
    }

    /// @param clock      seconds from begin to end
    /// @param processors seconds that the tasks' threads have computed, all together
    private record Cost(double clock, double processors) {
        static Cost least(List<Cost> all) {
            return new Cost(
                    all.stream().mapToDouble(Cost::clock).min().orElseThrow(),
                    all.stream().mapToDouble(Cost::processors).min().orElseThrow());
        }
    }
}
