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

    private final boolean isBinary;
    private byte[] bytes = new byte[1 << 14];
    private int end;
    private final LongBuffer offsets = new LongBuffer();

    StringKeys(RowKey key) {
        super(key);
        this.isBinary = key.type() instanceof BinaryType;
        offsets.add(0);
    }

    @Override
    void addValue(InternalRow row, boolean isNull) {
        if (!isNull) {
            int at = key().ordinal();
            addString(isBinary ? UTF8String.fromBytes(row.getBinary(at)) : row.getUTF8String(at));
        }
        offsets.add(end);
    }

    private void addString(UTF8String string) {
        int length = string.numBytes();
        if (length > bytes.length - end) {
            grow((long) end + length);
        }
        string.writeToMemory(bytes, (long) Platform.BYTE_ARRAY_OFFSET + end);
        end += length;
    }

    private void grow(long needed) {
        if (needed > MOST_BYTES) {
            throw new IllegalStateException("the values of column '" + key().name()
                    + "' in one partition have more than" + " 2 GiB: sort into more partitions");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(MOST_BYTES, Math.max(needed, 2L * bytes.length)));
    }

    @Override
    List<KeyColumn> columns() {
        return List.of(
                directed(KeyColumn.of(Strings.of(MemorySegment.ofArray(bytes), offsets.segment(), ElementType.LONG))));
    }
}
