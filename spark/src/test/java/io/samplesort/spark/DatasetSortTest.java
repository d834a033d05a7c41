package io.samplesort.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts of rows against `Dataset.sort`, with columns of all types, nulls and special values.
class DatasetSortTest {
    private static final int ROWS = 1500;

    /// How each column is made of the number of its row: few values each, so that later columns decide.
    private static final Map<String, String> COLUMNS = Map.ofEntries(
            Map.entry("flag", "h % 3 = 0"),
            Map.entry("tiny", "cast(h % 7 as tinyint)"),
            Map.entry("small", "cast(h % 500 - 250 as smallint)"),
            Map.entry("number", "cast(h as int)"),
            Map.entry("large number", "h * 1000003"),
            Map.entry(
                    "single",
                    "array(float('-0.0'), float('0.0'), float('NaN'), float('Infinity'), float('-1.5'),"
                            + " cast(h as float))[abs(h) % 6]"),
            Map.entry(
                    "price",
                    "array(double('-0.0'), 0.0D, double('NaN'), double('-Infinity'), 2.5D, cast(h as double))"
                            + "[abs(h) % 6]"),
            Map.entry("amount", "cast(h % 1000 as decimal(12, 3))"),
            Map.entry("huge", "cast(h as decimal(38, 10)) * cast(1000000007 as decimal(10, 0))"),
            Map.entry("day", "date_add(date'1969-12-25', cast(h % 20 as int))"),
            Map.entry("moment", "timestamp_micros(h)"),
            Map.entry("local", "cast(timestamp_micros(h % 1000) as timestamp_ntz)"),
            Map.entry("span", "make_dt_interval(cast(h % 9 as int))"),
            Map.entry("months", "make_ym_interval(0, cast(h % 9 as int))"),
            Map.entry("name", "repeat(chr(cast(97 + abs(h) % 3 as int)), cast(abs(h) % 20 as int))"),
            Map.entry("word", "concat(chr(cast(abs(h) % 256 as int)), 'é')"),
            Map.entry("code", "unhex(hex(h % 300))"),
            Map.entry("clock", "time'12:30:00' + make_dt_interval(0, 0, 0, cast(h % 100 as int))"),
            Map.entry(
                    "pair",
                    "named_struct('inner', if(h % 5 = 0, null, named_struct('d', if(h % 4 = 0, null, cast(h % 3 as"
                            + " double)), 'n', cast(h % 2 as string))), 'i', if(h % 7 = 0, null, h % 10))"));

    private static SparkSession spark;
    private static Dataset<Row> rows;

    @BeforeAll
    static void start() {
        spark = SparkSession.builder()
                .sparkContext(LocalSpark.threads(Map.of(
                                // Compiling each query takes longer than running it here.
                                "spark.sql.codegen.wholeStage",
                                "false",
                                "spark.sql.codegen.factoryMode",
                                "NO_CODEGEN",
                                "spark.sql.shuffle.partitions",
                                "3",
                                "spark.sql.timeType.enabled",
                                "true"))
                        .sc())
                .getOrCreate();
        List<Column> columns = new ArrayList<>();
        columns.add(functions.col("id"));
        COLUMNS.forEach((name, expression) -> columns.add(functions
                .expr("if(xxhash64(id, '" + name + "') % 11 = 0, null, " + expression + ")")
                .as(name)));
        rows = spark.range(0, ROWS, 1, 4)
                .withColumn("h", functions.expr("xxhash64(id) % 100000"))
                .select(columns.toArray(Column[]::new))
                .cache();
        rows.count();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Column column(String text) {
        String name = text.replaceAll(" (asc|desc|nulls first|nulls last)", "");
        Column column = functions.col("`" + name + "`");
        boolean isDescending = text.contains(" desc");
        if (text.endsWith("nulls first")) {
            return isDescending ? column.desc_nulls_first() : column.asc_nulls_first();
        }
        if (text.endsWith("nulls last")) {
            return isDescending ? column.desc_nulls_last() : column.asc_nulls_last();
        }
        return isDescending ? column.desc() : column.asc();
    }

    /// Returns this order with one more column, which is different in all rows and so leaves no ties.
    private static List<String> withoutTies(List<String> order) {
        List<String> all = new ArrayList<>(order);
        all.add("id desc");
        return all;
    }

    private static void checkGlobal(Dataset<Row> rows, List<String> order) {
        List<String> all = withoutTies(order);
        List<String> expected = strings(rows.sort(columns(all)));
        List<String> found = strings(SampleSortSpark.sort(rows, all.toArray(String[]::new)));
        assertThat(found.equals(expected)).as(order.toString()).isTrue();
    }

    private static void checkWithinPartitions(Dataset<Row> rows, List<String> order) {
        List<String> all = withoutTies(order);
        List<String> expected = strings(rows.sortWithinPartitions(columns(all)));
        List<String> found = strings(SampleSortSpark.sortWithinPartitions(rows, all.toArray(String[]::new)));
        assertThat(found.equals(expected)).as(order.toString()).isTrue();
    }

    private static Column[] columns(List<String> order) {
        return order.stream().map(DatasetSortTest::column).toArray(Column[]::new);
    }

    private static List<String> strings(Dataset<Row> sorted) {
        // -0.0 and 0.0 are different texts, and NaN is equal to itself.
        return sorted.toJSON().collectAsList();
    }

    /// One direction for each type in each kind of sort; several columns, below, draw the others.
    @Test
    void everyType() {
        boolean isAscending = true;
        for (String name : COLUMNS.keySet().stream().sorted().toList()) {
            List<String> order = List.of(isAscending ? name : name + " desc");
            Dataset<Row> keys = rows.select(functions.col("`" + name + "`"), functions.col("id"));
            if (isAscending) {
                checkWithinPartitions(keys, order);
            } else {
                checkGlobal(keys, order);
            }
            isAscending = !isAscending;
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 6, 7, 8})
    void severalOtherColumns(long seed) {
        severalColumns(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = 1)
    void severalColumns(long seed) {
        Random random = new Random(seed);
        List<String> names = new ArrayList<>(COLUMNS.keySet().stream().sorted().toList());
        Collections.shuffle(names, random);
        List<String> order = names.subList(0, 2 + random.nextInt(3)).stream()
                .map(name -> name
                        + List.of("", " asc", " desc").get(random.nextInt(3))
                        + List.of("", " nulls first", " nulls last").get(random.nextInt(3)))
                .toList();
        checkGlobal(rows, order);
        checkWithinPartitions(rows, order);
    }

    @Test
    void equalKeysKeepTheirOrderWithinPartitions() {
        List<Long> ids = SampleSortSpark.sortWithinPartitions(rows.coalesce(1), "flag").collectAsList().stream()
                .map(row -> row.<Long>getAs("id"))
                .toList();
        List<Long> expected = new ArrayList<>();
        for (Boolean flag : new Boolean[] {null, false, true}) {
            rows.coalesce(1).collectAsList().stream()
                    .filter(row -> Objects.equals(row.getAs("flag"), flag))
                    .forEach(row -> expected.add(row.getAs("id")));
        }
        assertThat(ids).isEqualTo(expected);
    }

    /// A key that all rows have is divided among partitions, and the rows keep the order of the input.
    @Test
    void equalKeysAreDividedAndKeepTheirOrder() {
        Dataset<Row> input = spark.range(0, 30_000, 1, 5).filter("id > 15000").selectExpr("id", "1 as key");
        Dataset<Row> sorted = SampleSortSpark.sort(input, "key");
        assertThat(strings(sorted)).isEqualTo(strings(input));
        List<Long> sizes = sorted.groupBy(functions.spark_partition_id()).count().collectAsList().stream()
                .map(row -> row.getLong(1))
                .toList();
        assertThat(sizes).hasSize(2).allMatch(size -> size > 6000);
    }

    /// Most rows have one of three keys, and some partitions of the input have no rows.
    @Test
    void skewedKeys() {
        Dataset<Row> input = spark.range(0, 30_000, 1, 7)
                .filter("id % 30000 > 9000")
                .selectExpr("id", "if(id % 10 < 8, id % 3, xxhash64(id)) as key", "repeat('x', id % 40) as text");
        assertThat(strings(SampleSortSpark.sort(input, "key desc")))
                .isEqualTo(strings(input.sort(functions.col("key").desc(), functions.col("id"))));
    }

    /// What a user's own function returns is computed for all columns together, and an exchange comes before the sort.
    @Test
    void rowsThatAreNotMerelyRead() {
        spark.udf().register("halved", (Long value) -> value / 2, DataTypes.LongType);
        Dataset<Row> input =
                spark.range(0, 5000, 1, 3).repartition(4).selectExpr("halved(xxhash64(id)) as key", "id as `a.b`");
        assertThat(strings(SampleSortSpark.sort(input, "key", "a.b desc")))
                .isEqualTo(strings(
                        input.sort(functions.col("key"), functions.col("`a.b`").desc())));
    }

    /// A column that is found by its name is the one at this place, and the others may have any names, too.
    private static void checkName(Dataset<Row> named, String order, int place, Column sparks) {
        String[] places = IntStream.range(0, named.columns().length)
                .mapToObj(i -> "c" + i)
                .toArray(String[]::new);
        List<Row> expected =
                named.toDF(places).sort(sparks, functions.col("c0")).collectAsList();
        Dataset<Row> sorted = place % 2 == 0
                ? SampleSortSpark.sort(named, order, "id", order)
                : SampleSortSpark.sortWithinPartitions(named.coalesce(1), order, "id", order);
        assertThat(sorted.columns()).isEqualTo(named.columns());
        assertThat(sorted.collectAsList().toString())
                .as("%s is column %d", order, place)
                .isEqualTo(expected.toString());
    }

    @Test
    void columnsOfAnyNames() {
        String[] names = {"id", "Key", "key two", " a  b ", "x.y", "`q`", "", "0", "1", "twin", "twin", "a desc", "KEY"
        };
        Column[] columns = new Column[names.length];
        columns[0] = functions.col("id");
        for (int i = 1; i < names.length; i++) {
            columns[i] = functions
                    .expr("if(id % 17 = 0, null, xxhash64(id, " + i + ") % 50)")
                    .as(names[i]);
        }
        Dataset<Row> named = spark.range(0, 400, 1, 3).select(columns);
        checkName(named, "Key", 1, functions.col("c1"));
        checkName(named, "KEY desc", 12, functions.col("c12").desc());
        checkName(named, "Key Two DESC NULLS FIRST", 2, functions.col("c2").desc_nulls_first());
        checkName(named, "` A  b ` desc", 3, functions.col("c3").desc());
        checkName(named, "x.Y nulls last", 4, functions.col("c4").asc_nulls_last());
        checkName(named, "```q``` asc", 5, functions.col("c5"));
        checkName(named, "`` desc", 6, functions.col("c6").desc());
        checkName(named, "1", 8, functions.col("c8"));
        checkName(named, "`a desc` desc", 11, functions.col("c11").desc());
        for (String twins : List.of("twin", "TWIN desc", "key")) {
            assertThatThrownBy(() -> SampleSortSpark.sort(named, twins))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 columns of that name: give them different names");
        }
        spark.conf().set("spark.sql.caseSensitive", true);
        try {
            assertThatThrownBy(() -> SampleSortSpark.sort(named, "key"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'key' names the column 'key', and the rows have [id, Key, ");
        } finally {
            spark.conf().unset("spark.sql.caseSensitive");
        }
    }

    @Test
    void noRows() {
        assertThat(SampleSortSpark.sort(rows.limit(0), "name").collectAsList()).isEmpty();
    }

    @Test
    void structsWithoutFieldsKeepTheirOrder() {
        Dataset<Row> one = rows.coalesce(1).select(functions.expr("struct()").as("nothing"), functions.col("id"));
        assertThat(strings(SampleSortSpark.sortWithinPartitions(one, "nothing")))
                .isEqualTo(strings(one));
    }

    @Test
    void mistakesAreNamed() {
        Dataset<Row> arrays = rows.select(functions.array("id").as("list"));
        assertThatThrownBy(() -> SampleSortSpark.sort(arrays, "list"))
                .hasMessageContaining("'list' has the type ARRAY");
        Dataset<Row> words =
                rows.select(functions.expr("collate(name, 'UNICODE')").as("name"));
        assertThatThrownBy(() -> SampleSortSpark.sort(words, "name"))
                .hasMessageContaining("'name' has the collation UNICODE")
                .hasMessageContaining("UTF8_BINARY");
        Dataset<Row> structs =
                rows.select(functions.expr("struct(id, array(id) as list)").as("both"));
        assertThatThrownBy(() -> SampleSortSpark.sort(structs, "both"))
                .hasMessageContaining("'both.list' has the type ARRAY");
        assertThatThrownBy(() -> SampleSortSpark.sort(rows)).hasMessageContaining("no column to sort by");
        assertThatThrownBy(() -> SampleSortSpark.sort(rows, "nmae desc")).hasMessageContaining("the column 'nmae'");
        assertThatThrownBy(() -> SampleSortSpark.sort(rows, "name nulls lst")).hasMessageContaining("nulls last");
    }
}
