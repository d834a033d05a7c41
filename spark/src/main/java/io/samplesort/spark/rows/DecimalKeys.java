package io.samplesort.spark.rows;

import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import java.math.BigInteger;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/// Decimals of one scale, by their unscaled values. Those of more than 18 digits take two longs, of which the lower one
/// compares as unsigned.
final class DecimalKeys extends KeyBuffer {
    private static final int DIGITS_OF_LONG = 18;

    private final DecimalType type;
    private final LongBuffer high = new LongBuffer();
    private final LongBuffer low = new LongBuffer();

    DecimalKeys(RowKey key, DecimalType type) {
        super(key);
        this.type = type;
    }

    private boolean isLong() {
        return type.precision() <= DIGITS_OF_LONG;
    }

    @Override
    void addValue(InternalRow row, boolean isNull) {
        if (isLong()) {
            high.add(isNull ? 0 : decimal(row).toUnscaledLong());
            return;
        }
        BigInteger unscaled =
                isNull ? BigInteger.ZERO : decimal(row).toJavaBigDecimal().unscaledValue();
        high.add(unscaled.shiftRight(Long.SIZE).longValueExact());
        low.add(unscaled.longValue());
    }

    private Decimal decimal(InternalRow row) {
        return row.getDecimal(key().ordinal(), type.precision(), type.scale());
    }

    @Override
    List<KeyColumn> columns() {
        KeyColumn first = directed(KeyColumn.of(high.segment(), ElementType.LONG));
        return isLong()
                ? List.of(first)
                : List.of(
                        first,
                        directed(KeyColumn.of(low.segment(), ElementType.LONG).unsigned()));
    }
}
