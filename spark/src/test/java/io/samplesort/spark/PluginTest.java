package io.samplesort.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.spark.plan.SampleSortExec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.runtime.BoxedUnit;

/// Queries with the plug-in, which was set up by one line, and the same queries with Spark alone. `PluginFaultTest` has
/// executors in processes of their own.
class PluginTest {
    private static final String ENABLED = "spark.samplesort.enabled";
    private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

    /// How columns are made of the number of a row: with nulls, special values, few or very frequent ones.
    private static final List<String> COLUMNS = List.of(
            "h % 3 = 0 as flag",
            "cast(h % 7 as tinyint) as tiny",
            "cast(h as int) as number",
            "h * 1000003 as large",
            "array(float('-0.0'), float('0.0'), float('NaN'), float('Infinity'), cast(h as float))[abs(h) % 5] as single",
            "array(double('-0.0'), 0.0D, double('NaN'), double('-Infinity'), cast(h as double))[abs(h) % 5] as price",
            "cast(h % 1000 as decimal(12, 3)) as amount",
            "cast(h as decimal(38, 10)) * cast(1000000007 as decimal(10, 0)) as huge",
            "timestamp_micros(h % 1000) as moment",
            "repeat(chr(cast(97 + abs(h) % 3 as int)), cast(abs(h) % 20 as int)) as name",
            "unhex(hex(h % 300)) as code",
            "if(h % 10 = 0, h, 0) as skewed",
            "'same' as same",
            "named_struct('x', h % 5, 'y', cast(h as string)) as pair");

    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = (SparkSession) org.apache.spark.sql.SparkSession.builder()
                .sparkContext(LocalSpark.threads(Map.of(
                                "spark.plugins", "io.samplesort.spark.SampleSortPlugin",
                                "spark.sql.autoBroadcastJoinThreshold", "-1",
                                "spark.sql.shuffle.partitions", "3"))
                        .sc())
                .getOrCreate();
        List<String> columns = new ArrayList<>(List.of("id", "id % 5 as part"));
        for (String column : COLUMNS) {
            int as = column.lastIndexOf(" as ");
            String name = column.substring(as + 4);
            columns.add("if(xxhash64(id, '" + name + "') % 11 = 0, null, " + column.substring(0, as) + ") as " + name);
        }
        compileQueries(false);
        spark.range(0, 2000, 1, 4)
                .selectExpr("id", "xxhash64(id) % 100000 as h")
                .selectExpr(columns.toArray(String[]::new))
                .cache()
                .createOrReplaceTempView("t");
        spark.sql("select * from t where id < 0").createOrReplaceTempView("nothing");
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    @AfterEach
    void turnOn() {
        spark.conf().set(ENABLED, true);
        spark.conf().set(ADAPTIVE, true);
        compileQueries(false);
    }

    /// Tells Spark whether to compile queries, which takes longer than to run one of these.
    private static void compileQueries(boolean isWanted) {
        spark.conf().set("spark.sql.codegen.wholeStage", isWanted);
        spark.conf().set("spark.sql.codegen.factoryMode", isWanted ? "FALLBACK" : "NO_CODEGEN");
    }

    private static List<SparkPlan> nodes(Dataset<Row> query) {
        List<SparkPlan> nodes = new ArrayList<>();
        new AdaptiveSparkPlanHelper() {}.foreach(plan(query), node -> {
            nodes.add(node);
            return BoxedUnit.UNIT;
        });
        return nodes;
    }

    private static SparkPlan plan(Dataset<Row> query) {
        return ((org.apache.spark.sql.classic.Dataset<Row>) query)
                .queryExecution()
                .executedPlan();
    }

    private static List<SparkPlan> ourSorts(Dataset<Row> query) {
        return nodes(query).stream().filter(SampleSortExec.class::isInstance).toList();
    }

    private static String names(Dataset<Row> query) {
        return nodes(query).stream().map(SparkPlan::nodeName).collect(Collectors.joining(" "));
    }

    /// -0.0 and 0.0 are different texts, and NaN is equal to itself.
    private static List<String> rows(Dataset<Row> query) {
        return query.toJSON().collectAsList();
    }

    /// Runs a query by Spark alone, and with the plug-in with and without adaptive execution.
    ///
    /// @param sorts how many sorts samplesort does
    private static void check(String query, boolean isOrdered, int sorts) {
        spark.conf().set(ENABLED, false);
        Dataset<Row> alone = spark.sql(query);
        List<String> expected = new ArrayList<>(rows(alone));
        assertThat(ourSorts(alone)).as(query).isEmpty();
        if (!isOrdered) {
            expected.sort(null);
        }
        spark.conf().set(ENABLED, true);
        for (boolean isAdaptive : new boolean[] {true, false}) {
            spark.conf().set(ADAPTIVE, isAdaptive);
            Dataset<Row> ours = spark.sql(query);
            List<String> found = new ArrayList<>(rows(ours));
            if (!isOrdered) {
                found.sort(null);
            }
            assertThat(found.equals(expected)).as(query).isTrue();
            assertThat(ourSorts(ours)).as(query + "\n" + plan(ours)).hasSize(sorts);
        }
    }

    private static String randomOrder(Random random) {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
            order.add(column.substring(column.lastIndexOf(" as ") + 4)
                    + List.of("", " asc", " desc").get(random.nextInt(3))
                    + List.of("", " nulls first", " nulls last").get(random.nextInt(3)));
        }
        return String.join(", ", order);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void compiledQueries(long seed) {
        compileQueries(true);
        orderBy(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = 1)
    void orderBy(long seed) {
        check("select * from t order by " + randomOrder(new Random(seed)) + ", id desc", true, 1);
    }

    @Test
    void sortsWithinPartitions() {
        // Which rows are together does not depend on the sort, so the result is the same in this order.
        check("select /*+ repartition(3, part) */ * from t sort by name desc, huge, id", true, 1);
    }

    @Test
    void nothingToSort() {
        check("select * from nothing order by name", true, 1);
    }

    @Test
    void allEqual() {
        check("select same from t where same is not null order by same", true, 1);
    }

    /// Sorts are part of compiled queries, too.
    @Test
    void windows() {
        compileQueries(true);
        check(
                "select id, row_number() over (partition by tiny order by price desc, id) as n,"
                        + " sum(amount) over (partition by tiny order by price desc, id) as s,"
                        + " lag(name) over (partition by flag order by huge nulls last, id) as l from t",
                false,
                2);
    }

    /// Columns are told apart by where they come from: several may have one name, and a key need not be in the result.
    @Test
    void columnsOfOneName() {
        check(
                "select /*+ broadcast(b) */ a.id, b.id, b.name, a.name from t a join t b on a.id = b.id"
                        + " and b.part = 1 order by b.name desc, a.id",
                true,
                1);
        check(
                "select part, count(1), count(1), max(name) as part from t group by part order by max(huge), t.part",
                true,
                3);
        check(
                "select /*+ repartition(3, part) */ id, name as ``, name as `a.b`, name as `x``y`, name as `KEY`,"
                        + " number as `key` from t sort by `a.b`, ``, number, id",
                true,
                1);
    }

    /// Both inputs of a join are sorted, and more than once where keys are equal.
    @Test
    void joins() {
        check(
                "select a.id, b.id as other from t a join t b on a.amount = b.amount and a.name = b.name"
                        + " and a.price = b.price",
                false,
                2);
    }

    /// Spark divides a partition of a join that has too many rows, and finds its sorts.
    @Test
    void joinsOfSkewedData() {
        spark.conf().set("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "10KB");
        spark.conf().set("spark.sql.adaptive.advisoryPartitionSizeInBytes", "5KB");
        spark.conf().set("spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.2");
        try {
            String query = "select a.id, b.id as other from t a join (select * from t where id % 40 = 0) b"
                    + " on a.skewed = b.skewed";
            check(query, false, 2);
            spark.conf().set(ADAPTIVE, true);
            Dataset<Row> ours = spark.sql(query);
            ours.collect();
            assertThat(plan(ours).toString())
                    .contains("SortMergeJoin(skew=true)")
                    .contains("SampleSort [");
        } finally {
            spark.conf().unset("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes");
            spark.conf().unset("spark.sql.adaptive.advisoryPartitionSizeInBytes");
            spark.conf().unset("spark.sql.adaptive.skewJoin.skewedPartitionFactor");
        }
    }

    /// A limit above a sort takes the first rows alone, which is less work than a sort.
    @Test
    void theFirstRowsAreLeftAlone() {
        check("select * from t order by name, id limit 10", true, 0);
        Dataset<Row> query = spark.sql("select * from t order by name, id limit 10");
        assertThat(names(query)).contains("TakeOrderedAndProject");
    }

    @Test
    void aLimitBelowOtherNodesKeepsTheOrder() {
        spark.conf().set("spark.sql.execution.topKSortFallbackThreshold", 100);
        try {
            check(
                    "select id + 1 from (select * from t order by name, id limit 1500 offset 20) where id % 2 = 0",
                    true, 2);
        } finally {
            spark.conf().unset("spark.sql.execution.topKSortFallbackThreshold");
        }
    }

    @Test
    void explainTellsWhoSorts() {
        String reasons = explained("select /*+ repartition(2) */ id from (select id, name collate UTF8_LCASE as c,"
                + " array(id) as a from t) sort by c");
        assertThat(reasons)
                .contains("Extended Information (samplesort)")
                .contains("is left to Spark, since column 'c'" + " has the collation UTF8_LCASE");
        assertThat(explained("select array(id) as a from t sort by a")).contains("has the type ARRAY");
        assertThat(explained("select id from t sort by id + 1")).contains("which is not a column");
        assertThat(explained("select id, name from t order by id desc, name"))
                .containsPattern("SampleSort \\[id#\\d+L DESC NULLS LAST, name#\\d+ ASC NULLS FIRST\\], true");
        assertThat(explained("formatted select id, name from t order by name"))
                .containsPattern("SampleSort\nInput \\[2\\]");
        spark.conf().set(ENABLED, false);
        assertThat(explained("select id from t order by id"))
                .contains(ENABLED + " is false")
                .doesNotContain("SampleSort [");
    }

    private static String explained(String query) {
        return spark.sql("explain " + query).first().getString(0);
    }

    @Test
    void aWrongSettingIsNamed() {
        spark.conf().set(ENABLED, "perhaps");
        assertThatThrownBy(() -> spark.sql("select id from t order by id").collect())
                .hasMessageContaining("spark.samplesort.enabled is 'perhaps': use true or false");
    }

    @Test
    void metricsTellWhatWasSorted() {
        Dataset<Row> query = spark.sql("select id, name from t order by name, id");
        query.collect();
        scala.collection.immutable.Map<String, SQLMetric> metrics =
                ourSorts(query).getFirst().metrics();
        assertThat(metrics.apply("sortedRows").value()).isEqualTo(2000);
        assertThat((long) metrics.apply("sortedBytes").value()).isGreaterThan(2000 * 24);
        assertThat((long) metrics.apply("sortTime").value()).isPositive();
        assertThat((long) metrics.apply("peakMemory").value()).isPositive();
        assertThat((long) metrics.apply("deviceTime").value()).isZero();
        assertThat((long) metrics.apply("spillSize").value()).isZero();
    }
}
