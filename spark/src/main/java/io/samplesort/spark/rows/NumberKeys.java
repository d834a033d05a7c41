package io.samplesort.spark.rows;

import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.spark.sql.catalyst.InternalRow;

/// Keys that Spark holds as integers: numbers, dates, times and intervals.
final class NumberKeys extends KeyBuffer {
    private final ToLongFunction<InternalRow> value;
    private final LongBuffer values = new LongBuffer();

    NumberKeys(RowKey key, ToLongFunction<InternalRow> value) {
        super(key);
        this.value = value;
    }

    @Override
    void addValue(InternalRow row, boolean isNull) {
        values.add(isNull ? 0 : value.applyAsLong(row));
    }

    @Override
    List<KeyColumn> columns() {
        return List.of(directed(KeyColumn.of(values.segment(), ElementType.LONG)));
    }
}
