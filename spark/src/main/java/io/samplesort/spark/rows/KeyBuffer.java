package io.samplesort.spark.rows;

import io.samplesort.types.KeyColumn;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/// Collects the values of one key field from a known number of rows, and notes which of them are null.
abstract class KeyBuffer {
    private final KeyField field;
    private final int rows;
    /// A bit for each row, which is 0 if its value is null; null if no value is.
    private byte[] validity;

    private int count;

    /// @param rows how many rows will be added
    KeyBuffer(KeyField field, int rows) {
        this.field = field;
        this.rows = rows;
    }

    /// Returns buffers for the values of this field, the most important first: a struct takes several.
    ///
    /// @throws IllegalArgumentException if values of this type cannot be compared here
    static List<KeyBuffer> of(KeyField field, int rows) {
        DataType type = field.type();
        ToLongFunction<InternalRow> number = NumberReader.of(type, field.ordinal());
        if (number != null) {
            return List.of(new NumberKeys(field, rows, number));
        }
        return switch (type) {
            case DecimalType decimal -> List.of(new DecimalKeys(field, rows, decimal));
            case BinaryType binary -> List.of(new StringKeys(field, rows));
            case StringType string -> {
                if (!string.isUTF8BinaryCollation()) {
                    throw new IllegalArgumentException("column '" + field.name() + "' has the collation "
                            + string.collationName() + ", and samplesort compares strings as bytes: sort by"
                            + " collate(`" + field.name() + "`, 'UTF8_BINARY') in a column of its own if that order"
                            + " will do, or use Dataset.sort");
                }
                yield List.of(new StringKeys(field, rows));
            }
            case StructType struct -> StructKeys.of(field, struct, rows);
            default ->
                throw new IllegalArgumentException("column '" + field.name() + "' has the type " + type.sql()
                        + ", which samplesort does not compare: sort by numbers, booleans, dates, times, intervals,"
                        + " decimals, strings, binaries and structs of these, or use Dataset.sort");
        };
    }

    final KeyField field() {
        return field;
    }

    final int rows() {
        return rows;
    }

    final boolean hasNulls() {
        return validity != null;
    }

    /// Adds the value of the next row.
    final void add(InternalRow row) {
        InternalRow holder = field.holder(row);
        if (holder == null || holder.isNullAt(field.ordinal())) {
            if (validity == null) {
                validity = new byte[Math.ceilDiv(rows, Byte.SIZE)];
                Arrays.fill(validity, (byte) -1);
            }
            validity[count >>> 3] &= (byte) ~(1 << (count & 7));
            putNull(count);
        } else {
            put(count, holder);
        }
        count++;
    }

    /// Sets the value of a row.
    ///
    /// @param holder the row or the struct that has it
    abstract void put(int row, InternalRow holder);

    /// Sets the value of a null row, which may be anything.
    void putNull(int row) {}

    /// Returns the values in one column or several, the most important first.
    abstract List<KeyColumn> columns();

    /// Returns a column with the direction and the place of nulls of this key.
    final KeyColumn directed(KeyColumn column) {
        KeyColumn ordered = field.isDescending() ? column.reversed() : column;
        if (validity == null) {
            return ordered;
        }
        KeyColumn withNulls = ordered.validity(MemorySegment.ofArray(validity));
        return field.nullsFirst() ? withNulls.nullsFirst() : withNulls.nullsLast();
    }
}
