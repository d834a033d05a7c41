package io.samplesort.spark.plan;

import io.samplesort.spark.rows.RowKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/// Whether samplesort does a sort of a plan, or why Spark does it.
///
/// @param keys   what the rows are sorted by; empty if Spark sorts
/// @param reason why Spark sorts; empty if samplesort does
record SortChoice(List<RowKey> keys, String reason) {
    /// Chooses for a sort of the rows of `child`.
    static SortChoice of(Seq<SortOrder> sortOrder, SparkPlan child) {
        List<RowKey> keys = new ArrayList<>();
        for (SortOrder order : CollectionConverters.asJava(sortOrder)) {
            Expression value = withoutNormalization(order.child());
            if (!(value instanceof AttributeReference column)) {
                return bySpark("it sorts by " + value.sql() + ", which is not a column");
            }
            int ordinal = child.output().indexWhere(other -> other.exprId().equals(column.exprId()));
            RowKey key = new RowKey(
                    column.name(),
                    ordinal,
                    column.dataType(),
                    order.direction().equals(Descending$.MODULE$),
                    order.nullOrdering().equals(NullsFirst$.MODULE$));
            try {
                key.check();
            } catch (IllegalArgumentException e) {
                return bySpark(e.getMessage());
            }
            keys.add(key);
        }
        return keys.isEmpty() ? bySpark("it has no keys") : new SortChoice(List.copyOf(keys), "");
    }

    private static SortChoice bySpark(String reason) {
        return new SortChoice(List.of(), reason);
    }

    /// Joins turn all NaNs into one value and both zeros into one before they sort. The order of rows treats them as
    /// equal in any case.
    private static Expression withoutNormalization(Expression value) {
        return value instanceof KnownFloatingPointNormalized known
                        && known.child() instanceof NormalizeNaNAndZero normalized
                ? normalized.child()
                : value;
    }

    boolean isOurs() {
        return reason.isEmpty();
    }
}
