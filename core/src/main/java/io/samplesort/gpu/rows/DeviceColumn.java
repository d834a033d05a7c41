package io.samplesort.gpu.rows;

import io.samplesort.gpu.code.KernelStructs.KeyColumn;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.types.ElementType;

/// A key column in device memory, which kernels take as the struct `KeyColumn` of key_columns.cuh.
///
/// @param type         the type of numbers; null for strings
/// @param isUnsigned   whether integers compare as unsigned
/// @param values       device address of numbers or of strings of one length, aligned to eight bytes
/// @param valueBytes   bytes of a number or of a string of one length
/// @param text         strings of any length; null for other values
/// @param count        how many rows there are
/// @param isDescending whether values compare from the greatest to the least
/// @param validity     device address of a bit for each row, which is 0 if the row is null; 0 if no row is null
/// @param nullsFirst   whether nulls come before all values
public record DeviceColumn(
        ElementType type,
        boolean isUnsigned,
        long values,
        int valueBytes,
        DeviceText text,
        long count,
        boolean isDescending,
        long validity,
        boolean nullsFirst) {
    public boolean hasStrings() {
        return text != null;
    }

    boolean hasNumbers() {
        return type != null;
    }

    private boolean isFloating() {
        return ElementType.FLOAT.equals(type) || ElementType.DOUBLE.equals(type);
    }

    private long sign() {
        boolean hasSign = hasNumbers() && !isUnsigned && !type.equals(ElementType.CHAR);
        return hasSign ? 1L << valueBytes * Byte.SIZE - 1 : 0;
    }

    /// Begins the struct with the fields that the column itself has.
    StructValues<KeyColumn> fields() {
        return new StructValues<>(KeyColumn.values())
                .set(KeyColumn.VALUES, hasStrings() ? text.bytes() : values)
                .set(KeyColumn.VALUE_BYTES, valueBytes)
                .set(KeyColumn.IS_TEXT, !hasStrings() && !hasNumbers() ? 1 : 0)
                .set(KeyColumn.SIGN, sign())
                .set(KeyColumn.IS_FLOATING, isFloating() ? 1 : 0)
                .set(KeyColumn.IS_DESCENDING, isDescending ? 1 : 0)
                .set(KeyColumn.VALIDITY, validity)
                .set(KeyColumn.NULL_MARK, nullsFirst ? 0 : 1)
                .set(KeyColumn.OFFSETS, hasStrings() ? text.offsets() : 0)
                .set(KeyColumn.OFFSET_BYTES, hasStrings() ? text.offsetBytes() : 0)
                .set(KeyColumn.BYTE_COUNT, hasStrings() ? text.byteCount() : 0)
                .set(KeyColumn.COUNT, count);
    }
}
