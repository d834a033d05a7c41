package io.samplesort.spark.rows;

import io.samplesort.types.KeyColumn;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.spark.sql.catalyst.InternalRow;

/// Keys that are read as longs.
final class NumberKeys extends KeyBuffer {
    private final ToLongFunction<InternalRow> value;
    private final long[] values;

    NumberKeys(KeyField field, int rows, ToLongFunction<InternalRow> value) {
        super(field, rows);
        this.value = value;
        this.values = new long[rows];
    }

    @Override
    void put(int row, InternalRow holder) {
        values[row] = value.applyAsLong(holder);
    }

    @Override
    List<KeyColumn> columns() {
        return List.of(directed(KeyColumn.of(values)));
    }
}
