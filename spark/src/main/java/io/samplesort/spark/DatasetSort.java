package io.samplesort.spark;

import io.samplesort.spark.ranges.RangeSort;
import io.samplesort.spark.rows.RowKey;
import io.samplesort.spark.rows.RowOrder;
import io.samplesort.spark.rows.SortRows;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LeafNode;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/// Sorts of rows, on Spark's own layout of them.
final class DatasetSort {
    private final Dataset<Row> rows;
    private final SparkSession session;
    private final RowOrder order;

    DatasetSort(org.apache.spark.sql.Dataset<Row> rows, String... order) {
        if (order.length == 0) {
            throw new IllegalArgumentException(
                    "no column to sort by: name at least one, such as \"a desc nulls last\"");
        }
        if (!(rows instanceof Dataset<Row> classic)) {
            throw new IllegalArgumentException(
                    "this Dataset belongs to Spark Connect, which runs no classes of the application: sort it on the"
                            + " driver of a classic session");
        }
        StructType type = rows.schema();
        this.rows = classic;
        this.session = classic.sparkSession();
        boolean tellsCasesApart = session.sessionState().conf().caseSensitiveAnalysis();
        this.order = new RowOrder(
                type,
                Arrays.stream(order)
                        .map(text -> RowKey.parse(text, type, tellsCasesApart))
                        .toList());
    }

    Dataset<Row> global() {
        SQLConf settings = session.sessionState().conf();
        int most = settings.numShufflePartitions();
        JavaRDD<InternalRow> input = rdd(rows);
        RangeSort sampling = new RangeSort(order, most);
        // If rows are merely read, only the columns of the keys are read twice.
        RangeSort.Sample sample = isCheap(rows.queryExecution().optimizedPlan())
                ? sampling.sample(rdd(keys()), order.ofKeysAlone())
                : sampling.sample(input, order);
        int partitions = settings.adaptiveExecutionEnabled() && settings.coalesceShufflePartitionsEnabled()
                ? enough(sample.count(), settings)
                : most;
        return dataset(new RangeSort(order, partitions).sort(input, sample));
    }

    Dataset<Row> withinPartitions() {
        return dataset(rdd(rows).mapPartitions(new SortRows(order)));
    }

    private static JavaRDD<InternalRow> rdd(Dataset<Row> rows) {
        return rows.queryExecution().toRdd().toJavaRDD();
    }

    private Dataset<Row> dataset(JavaRDD<InternalRow> sorted) {
        return session.internalCreateDataFrame(sorted.rdd(), order.type(), false);
    }

    /// Returns only the columns of the keys. They are found by their places, since columns may have any names, and
    /// several may have the same.
    private Dataset<Row> keys() {
        String[] places = IntStream.range(0, order.type().length())
                .mapToObj(Integer::toString)
                .toArray(String[]::new);
        return rows.toDF(places)
                .select(order.keys().stream()
                        .map(key -> functions.col(places[key.ordinal()]))
                        .toArray(Column[]::new));
    }

    /// Returns how many partitions there are if each has the size that Spark is told to aim at, estimated from the
    /// types of the columns. There is at least one for each core of the cluster.
    private int enough(long count, SQLConf settings) {
        double bytes = (double) count * order.type().defaultSize();
        int most = settings.numShufflePartitions();
        int least = Math.min(most, session.sparkContext().defaultParallelism());
        return (int) Math.clamp(
                Math.ceil(bytes / (Long) settings.getConf(SQLConf.ADVISORY_PARTITION_SIZE_IN_BYTES())), least, most);
    }

    /// Returns whether rows are merely read, chosen and computed from, without the user's own code. Then a few of their
    /// columns cost less than all, and are the same each time.
    private static boolean isCheap(LogicalPlan plan) {
        boolean isKnown = plan instanceof LeafNode || plan instanceof Project || plan instanceof Filter;
        return isKnown
                && CollectionConverters.asJava(plan.expressions()).stream().allMatch(DatasetSort::isCheap)
                && CollectionConverters.asJava(plan.children()).stream().allMatch(DatasetSort::isCheap);
    }

    private static boolean isCheap(Expression expression) {
        return expression.deterministic()
                && !(expression instanceof UserDefinedExpression)
                && !(expression instanceof PlanExpression)
                && CollectionConverters.asJava(expression.children()).stream().allMatch(DatasetSort::isCheap);
    }
}
