package io.samplesort.spark.rows;

import java.util.function.ToLongFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;

/// Eight bytes of a row's first key, as a signed long. Rows with different prefixes are in the order of these; rows
/// with the same prefix may be equal or not.
@FunctionalInterface
public interface KeyPrefix {
    /// Returns the prefix of a row.
    long of(InternalRow row);

    /// Returns what reads the prefix of this key. If values of its type have no prefix, it is the same for all rows.
    static KeyPrefix of(RowKey key) {
        int at = key.ordinal();
        ToLongFunction<InternalRow> value = reader(key);
        long ofNulls = key.nullsFirst() ? Long.MIN_VALUE : Long.MAX_VALUE;
        long flip = key.isDescending() ? -1 : 0;
        return value == null ? row -> 0 : row -> row.isNullAt(at) ? ofNulls : value.applyAsLong(row) ^ flip;
    }

    private static ToLongFunction<InternalRow> reader(RowKey key) {
        int at = key.ordinal();
        return switch (key.type()) {
            case StringType string -> row -> row.getUTF8String(at).getPrefix() ^ Long.MIN_VALUE;
            case BinaryType binary ->
                row -> UTF8String.fromBytes(row.getBinary(at)).getPrefix() ^ Long.MIN_VALUE;
            default -> NumberReader.of(key.type(), at);
        };
    }
}
