package io.samplesort.spark.rows;

import io.samplesort.types.KeyColumn;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/// Whether structs are null. Their fields follow in buffers of their own, in which all fields of a null struct are
/// null.
final class StructKeys extends KeyBuffer {
    private StructKeys(KeyField field, int rows) {
        super(field, rows);
    }

    static List<KeyBuffer> of(KeyField field, StructType type, int rows) {
        List<KeyBuffer> buffers = new ArrayList<>();
        buffers.add(new StructKeys(field, rows));
        for (KeyField inner : field.fields(type)) {
            buffers.addAll(of(inner, rows));
        }
        return buffers;
    }

    @Override
    void put(int row, InternalRow holder) {
        // The fields tell structs apart.
    }

    @Override
    List<KeyColumn> columns() {
        return hasNulls() ? List.of(directed(KeyColumn.of(new byte[rows()]))) : List.of();
    }
}
