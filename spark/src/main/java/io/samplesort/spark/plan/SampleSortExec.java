package io.samplesort.spark.plan;

import io.samplesort.spark.rows.RowOrder;
import java.util.List;
import java.util.Objects;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.OrderedDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/// The node of a plan that sorts the rows of each partition with samplesort. Its input, its partitions and the order of
/// its result are those of a [SortExec].
public final class SampleSortExec extends SparkPlan implements UnaryExecNode {
    private static final long serialVersionUID = 1;

    private final Seq<SortOrder> sortOrder;
    private final boolean isGlobal;
    private final SparkPlan child;
    private transient SortMetrics metrics;

    /// Spark copies nodes by their constructor, so its parameters are what [#productElement] returns.
    ///
    /// @param sortOrder what the rows are sorted by
    /// @param isGlobal  whether the partitions of the input have to be ranges in this order
    public SampleSortExec(Seq<SortOrder> sortOrder, boolean isGlobal, SparkPlan child) {
        this.sortOrder = sortOrder;
        this.isGlobal = isGlobal;
        this.child = child;
    }

    /// Returns the same sort, done by samplesort.
    static SampleSortExec of(SortExec sort) {
        SampleSortExec ours = new SampleSortExec(sort.sortOrder(), sort.global(), sort.child());
        ours.copyTagsFrom(sort);
        return ours;
    }

    @Override
    public RDD<InternalRow> doExecute() {
        RowOrder order = new RowOrder(schema(), SortChoice.of(sortOrder, child).keys());
        return child.execute()
                .mapPartitions(new SortTask(order, sortMetrics()), true, ClassTag$.MODULE$.apply(InternalRow.class));
    }

    private synchronized SortMetrics sortMetrics() {
        if (metrics == null) {
            metrics = SortMetrics.create(sparkContext());
        }
        return metrics;
    }

    @Override
    public Map<String, SQLMetric> metrics() {
        return sortMetrics().byName();
    }

    @Override
    public Seq<Attribute> output() {
        return child.output();
    }

    @Override
    public Seq<SortOrder> outputOrdering() {
        return sortOrder;
    }

    @Override
    public Partitioning outputPartitioning() {
        return child.outputPartitioning();
    }

    @Override
    public Seq<Distribution> requiredChildDistribution() {
        return list(isGlobal ? new OrderedDistribution(sortOrder) : UnspecifiedDistribution$.MODULE$);
    }

    @Override
    public SparkPlan child() {
        return child;
    }

    @Override
    public Seq<SparkPlan> children() {
        return list(child);
    }

    private static <T> Seq<T> list(T element) {
        return CollectionConverters.asScala(List.of(element)).toList();
    }

    @Override
    public SparkPlan withNewChildInternal(SparkPlan newChild) {
        return new SampleSortExec(sortOrder, isGlobal, newChild);
    }

    @Override
    public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
        return withNewChildInternal(newChildren.head());
    }

    /// Returns the description with the input and the arguments, as Spark describes all nodes with one child.
    @Override
    public String verboseStringWithOperatorId() {
        return UnaryExecNode.super.verboseStringWithOperatorId();
    }

    @Override
    public int productArity() {
        return 3;
    }

    @Override
    public Object productElement(int index) {
        return switch (index) {
            case 0 -> sortOrder;
            case 1 -> isGlobal;
            case 2 -> child;
            default -> throw new IndexOutOfBoundsException(index);
        };
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof SampleSortExec;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SampleSortExec sort
                && sort.isGlobal == isGlobal
                && sort.sortOrder.equals(sortOrder)
                && sort.child.equals(child);
    }

    @Override
    public int hashCode() {
        return Objects.hash(sortOrder, isGlobal, child);
    }
}
