package io.samplesort.spark.rows;

import io.samplesort.types.KeyColumn;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/// Collects the values of one key column, and which of them are null.
abstract class KeyBuffer {
    private final RowKey key;
    private byte[] validity = new byte[128];
    private boolean hasNulls;
    private int count;

    KeyBuffer(RowKey key) {
        this.key = key;
    }

    /// Returns a buffer for keys of this type.
    ///
    /// @throws IllegalArgumentException if values of this type cannot be compared here
    static KeyBuffer of(RowKey key) {
        int at = key.ordinal();
        DataType type = key.type();
        if (type instanceof BooleanType) {
            return new NumberKeys(key, row -> row.getBoolean(at) ? 1 : 0);
        }
        if (type instanceof ByteType) {
            return new NumberKeys(key, row -> row.getByte(at));
        }
        if (type instanceof ShortType) {
            return new NumberKeys(key, row -> row.getShort(at));
        }
        if (type instanceof IntegerType || type instanceof DateType || type instanceof YearMonthIntervalType) {
            return new NumberKeys(key, row -> row.getInt(at));
        }
        if (type instanceof LongType
                || type instanceof TimestampType
                || type instanceof TimestampNTZType
                || type instanceof DayTimeIntervalType) {
            return new NumberKeys(key, row -> row.getLong(at));
        }
        if (type instanceof FloatType) {
            return new FloatingKeys(key, row -> row.getFloat(at));
        }
        if (type instanceof DoubleType) {
            return new FloatingKeys(key, row -> row.getDouble(at));
        }
        if (type instanceof DecimalType decimal) {
            return new DecimalKeys(key, decimal);
        }
        if (type instanceof BinaryType || (type instanceof StringType string && string.isUTF8BinaryCollation())) {
            return new StringKeys(key);
        }
        throw new IllegalArgumentException("column '" + key.name() + "' has the type " + type.sql()
                + ", which samplesort does not compare: sort by numbers, dates, times, decimals, strings of the"
                + " collation UTF8_BINARY and binaries, or use Dataset.sort");
    }

    final RowKey key() {
        return key;
    }

    final int count() {
        return count;
    }

    /// Adds the value of the next row.
    final void add(InternalRow row) {
        if (count == validity.length * Byte.SIZE) {
            validity = Arrays.copyOf(validity, 2 * validity.length);
        }
        boolean isNull = row.isNullAt(key.ordinal());
        hasNulls |= isNull;
        if (!isNull) {
            validity[count >>> 3] |= (byte) (1 << (count & 7));
        }
        addValue(row, isNull);
        count++;
    }

    /// Adds the value of the next row, or anything at all if it is null.
    abstract void addValue(InternalRow row, boolean isNull);

    /// Returns the values in one column or several, the most important first.
    abstract List<KeyColumn> columns();

    /// Returns a column with the direction and the nulls of this key.
    final KeyColumn directed(KeyColumn column) {
        KeyColumn ordered = key.isDescending() ? column.descending() : column;
        if (!hasNulls) {
            return ordered;
        }
        KeyColumn withNulls = ordered.validity(MemorySegment.ofArray(validity));
        return key.nullsFirst() ? withNulls.nullsFirst() : withNulls.nullsLast();
    }
}
