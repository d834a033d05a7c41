package io.samplesort.spark.rows;

import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.spark.sql.catalyst.InternalRow;

/// Floating-point keys. To Spark, -0.0 and 0.0 are equal, and so are all NaNs, which are greater than all numbers.
final class FloatingKeys extends KeyBuffer {
    private final ToDoubleFunction<InternalRow> value;
    private final LongBuffer bits = new LongBuffer();

    FloatingKeys(RowKey key, ToDoubleFunction<InternalRow> value) {
        super(key);
        this.value = value;
    }

    @Override
    void addValue(InternalRow row, boolean isNull) {
        double number = isNull ? 0 : value.applyAsDouble(row);
        bits.add(number == 0 ? 0 : Double.doubleToLongBits(number));
    }

    @Override
    List<KeyColumn> columns() {
        return List.of(directed(KeyColumn.of(bits.segment(), ElementType.DOUBLE)));
    }
}
