package io.samplesort.spark.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/// The columns of rows, and the keys that rows are sorted by.
///
/// @param type the type of the rows; several columns may have the same name
/// @param keys the most important first
public record RowOrder(StructType type, List<RowKey> keys) implements Serializable {
    private static final long serialVersionUID = 1;

    public RowOrder {
        keys = new ArrayList<>(keys);
    }

    /// Returns the order of rows that have these keys and nothing else.
    public RowOrder ofKeysAlone() {
        List<StructField> fields = new ArrayList<>();
        List<RowKey> alone = new ArrayList<>();
        for (RowKey key : keys) {
            alone.add(new RowKey(key.name(), fields.size(), key.type(), key.isDescending(), key.nullsFirst()));
            fields.add(DataTypes.createStructField(key.name(), key.type(), true));
        }
        return new RowOrder(new StructType(fields.toArray(StructField[]::new)), alone);
    }

    /// Returns a projection that makes rows of only the keys. It returns the same row object each time.
    public UnsafeProjection keyProjection() {
        List<Expression> references = new ArrayList<>();
        keys.forEach(key -> references.add(key.reference()));
        return UnsafeProjection.create(seq(references));
    }

    /// Returns Spark's own comparison of such rows.
    public Comparator<InternalRow> comparator() {
        List<SortOrder> orders = keys.stream().map(RowKey::sortOrder).toList();
        return RowOrdering.create(seq(orders), seq(List.of()));
    }

    /// Returns a reader of the first bytes of the first key.
    public KeyPrefix prefix() {
        return KeyPrefix.of(keys.getFirst());
    }

    static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toList();
    }
}
