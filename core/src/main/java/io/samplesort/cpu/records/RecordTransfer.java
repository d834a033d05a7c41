package io.samplesort.cpu.records;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/// Moves records between the columns of a sort and arrays of bytes, where the elements of all columns lie side by side.
/// Two threads must not use it at once, since several columns pass through a buffer.
final class RecordTransfer {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /// Up to this many bytes are moved word by word, which is faster than a copy.
    private static final int WORDS_LIMIT = 48;

    private static final int STAGE_BYTES = 1 << 14;

    private final RecordLayout layout;
    /// Elements of one column; empty if there is only one column.
    private byte[] stage = {};

    RecordTransfer(RecordLayout layout) {
        this.layout = layout;
    }

    void reserve() {
        if (layout.columnBytes().size() > 1 && stage.length == 0) {
            stage = new byte[Math.max(STAGE_BYTES, layout.recordBytes())];
        }
    }

    long heapBytes() {
        return stage.length;
    }

    /// Reads `count` records from index `from` of the columns to the beginning of an array.
    void read(List<MemorySegment> columns, long from, int count, byte[] records) {
        if (columns.size() == 1) {
            long bytes = layout.recordBytes();
            MemorySegment.copy(columns.getFirst(), from * bytes, MemorySegment.ofArray(records), 0, count * bytes);
            return;
        }
        MemorySegment staged = MemorySegment.ofArray(stage);
        int offset = 0;
        for (int column = 0; column < columns.size(); column++) {
            int bytes = layout.columnBytes().get(column);
            int room = stage.length / bytes;
            for (int done = 0; done < count; done += room) {
                int size = Math.min(room, count - done);
                MemorySegment.copy(columns.get(column), (from + done) * bytes, staged, 0, (long) size * bytes);
                int at = done * layout.recordBytes() + offset;
                for (int i = 0; i < size; i++) {
                    move(stage, i * bytes, records, at + i * layout.recordBytes(), bytes);
                }
            }
            offset += bytes;
        }
    }

    /// Writes the first `count` records of an array to index `to` of the columns.
    void write(byte[] records, int count, List<MemorySegment> columns, long to) {
        if (columns.size() == 1) {
            long bytes = layout.recordBytes();
            MemorySegment.copy(MemorySegment.ofArray(records), 0, columns.getFirst(), to * bytes, count * bytes);
            return;
        }
        MemorySegment staged = MemorySegment.ofArray(stage);
        int offset = 0;
        for (int column = 0; column < columns.size(); column++) {
            int bytes = layout.columnBytes().get(column);
            int room = stage.length / bytes;
            for (int done = 0; done < count; done += room) {
                int size = Math.min(room, count - done);
                int at = done * layout.recordBytes() + offset;
                for (int i = 0; i < size; i++) {
                    move(records, at + i * layout.recordBytes(), stage, i * bytes, bytes);
                }
                MemorySegment.copy(staged, 0, columns.get(column), (to + done) * bytes, (long) size * bytes);
            }
            offset += bytes;
        }
    }

    /// Copies `bytes` from index `at` of an array to index `put` of another one.
    static void move(byte[] from, int at, byte[] to, int put, int bytes) {
        if (bytes == 2 * Long.BYTES) {
            long first = (long) LONG.get(from, at);
            long second = (long) LONG.get(from, at + Long.BYTES);
            LONG.set(to, put, first);
            LONG.set(to, put + Long.BYTES, second);
        } else if (bytes >= Long.BYTES && bytes <= WORDS_LIMIT) {
            int last = bytes - Long.BYTES;
            for (int word = 0; word < last; word += Long.BYTES) {
                LONG.set(to, put + word, (long) LONG.get(from, at + word));
            }
            // The last word may overlap the one before.
            LONG.set(to, put + last, (long) LONG.get(from, at + last));
        } else if (bytes == Integer.BYTES) {
            INT.set(to, put, (int) INT.get(from, at));
        } else {
            System.arraycopy(from, at, to, put, bytes);
        }
    }
}
