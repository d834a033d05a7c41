package io.samplesort.spark.rows;

import io.samplesort.types.KeyColumn;
import java.math.BigInteger;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DecimalType;

/// Decimals of one scale that do not fit a long, by their unscaled values. They take two longs, of which the lower one
/// compares as unsigned.
final class DecimalKeys extends KeyBuffer {
    private final DecimalType type;
    private final long[] high;
    private final long[] low;

    DecimalKeys(KeyField field, int rows, DecimalType type) {
        super(field, rows);
        this.type = type;
        this.high = new long[rows];
        this.low = new long[rows];
    }

    @Override
    void put(int row, InternalRow holder) {
        BigInteger unscaled = holder.getDecimal(field().ordinal(), type.precision(), type.scale())
                .toJavaBigDecimal()
                .unscaledValue();
        high[row] = unscaled.shiftRight(Long.SIZE).longValueExact();
        low[row] = unscaled.longValue();
    }

    @Override
    List<KeyColumn> columns() {
        return List.of(directed(KeyColumn.of(high)), directed(KeyColumn.of(low).unsigned()));
    }
}
