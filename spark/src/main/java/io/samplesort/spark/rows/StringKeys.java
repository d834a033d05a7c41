package io.samplesort.spark.rows;

import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/// Strings and binaries, which compare as unsigned bytes.
final class StringKeys extends KeyBuffer {
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;
    private static final int USUAL_BYTES = 16;

    private final boolean isBinary;
    private final long[] offsets;
    private byte[] bytes;
    private int end;

    StringKeys(KeyField field, int rows) {
        super(field, rows);
        this.isBinary = field.type() instanceof BinaryType;
        this.offsets = new long[rows + 1];
        this.bytes = new byte[(int) Math.min(MOST_BYTES, (long) USUAL_BYTES * rows)];
    }

    @Override
    void put(int row, InternalRow holder) {
        int at = field().ordinal();
        UTF8String string = isBinary ? UTF8String.fromBytes(holder.getBinary(at)) : holder.getUTF8String(at);
        int length = string.numBytes();
        if (length > bytes.length - end) {
            long needed = (long) end + length;
            // Rows of one sort have less than 2 GiB, which RowTable makes sure of.
            bytes = Arrays.copyOf(bytes, (int) Math.min(MOST_BYTES, Math.max(needed, 2L * bytes.length)));
        }
        string.writeToMemory(bytes, (long) Platform.BYTE_ARRAY_OFFSET + end);
        end += length;
        offsets[row + 1] = end;
    }

    @Override
    void putNull(int row) {
        offsets[row + 1] = end;
    }

    @Override
    List<KeyColumn> columns() {
        return List.of(directed(KeyColumn.of(
                Strings.of(MemorySegment.ofArray(bytes), MemorySegment.ofArray(offsets), ElementType.LONG))));
    }
}
