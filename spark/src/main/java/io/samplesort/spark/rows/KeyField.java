package io.samplesort.spark.rows;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// A value that rows are compared by: that of a column, or a field of a struct, which may be in a struct itself.
///
/// @param struct       the struct that it is a field of; null for a column
/// @param name         its name in messages
/// @param ordinal      its place in the row or the struct
/// @param type         the type of its values
/// @param isDescending whether the greatest value comes first
/// @param nullsFirst   whether nulls come before all values
record KeyField(KeyField struct, String name, int ordinal, DataType type, boolean isDescending, boolean nullsFirst) {
    static KeyField of(RowKey key) {
        return new KeyField(null, key.name(), key.ordinal(), key.type(), key.isDescending(), key.nullsFirst());
    }

    /// Returns the fields of this struct. Their nulls are less than all values, so the direction decides where they
    /// come.
    List<KeyField> fields(StructType type) {
        List<KeyField> fields = new ArrayList<>();
        for (StructField field : type.fields()) {
            fields.add(new KeyField(
                    this, name + "." + field.name(), fields.size(), field.dataType(), isDescending, !isDescending));
        }
        return fields;
    }

    /// Returns the row or struct that holds the value; null if that is null itself.
    InternalRow holder(InternalRow row) {
        if (struct == null) {
            return row;
        }
        InternalRow outer = struct.holder(row);
        return outer == null || outer.isNullAt(struct.ordinal)
                ? null
                : outer.getStruct(struct.ordinal, ((StructType) struct.type).length());
    }
}
