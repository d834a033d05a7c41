package io.samplesort.gpu.rows;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs.ColumnRange;
import io.samplesort.gpu.code.KernelStructs.KeyColumn;
import io.samplesort.gpu.launch.RowModule;
import io.samplesort.types.StringOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The keys of the rows of several columns in device memory. Numbers are narrowed to the bits that their columns need.
/// The key of a row is a word if it has at most 64 bits, and otherwise a string of bytes whose order is that of the
/// rows. In this encoding only strings of any length are escaped and terminated, and not even these if they come last
/// in ascending order.
public final class RowKeys implements AutoCloseable {
    private static final long COLUMN_BYTES = (long) KeyColumn.values().length * Long.BYTES;
    private static final long RANGE_BYTES = (long) ColumnRange.values().length * Long.BYTES;

    /// The most bytes that offsets of 4 bytes can address; the kernels read these as unsigned.
    public static final long MOST_INT_BYTES = (1L << Integer.SIZE) - 1;

    private final Context context;
    private final Stream stream;
    private final RowModule kernels;
    private final long count;
    private final long mostIntBytes;
    /// Device address of the structs of the columns.
    private final long table;
    private final long ranges;
    private final Owned owned = new Owned();
    private List<NarrowedColumn> columns;
    private DeviceText rows;

    /// @param columns      the most important first, all with the same number of rows, which is at least one
    /// @param mostIntBytes if encoded rows may have more bytes than this, their offsets have 8 bytes
    public RowKeys(Context context, Stream stream, RowModule kernels, List<DeviceColumn> columns, long mostIntBytes) {
        this.context = context;
        this.stream = stream;
        this.kernels = kernels;
        this.mostIntBytes = mostIntBytes;
        this.count = columns.getFirst().count();
        this.columns = columns.stream().map(NarrowedColumn::whole).toList();
        table = owned.add(allocate(columns.size() * (COLUMN_BYTES + RANGE_BYTES)))
                .address();
        ranges = table + columns.size() * COLUMN_BYTES;
    }

    /// Returns how many blocks have a thread for each of this many rows.
    public static long blocks(long rowCount) {
        return Math.ceilDiv(rowCount, KernelConstants.ROW_THREADS);
    }

    private DeviceAllocation allocate(long bytes) {
        return DeviceAllocation.allocateAsync(context, stream, bytes);
    }

    /// Finds how many bits each column needs, and waits for that.
    ///
    /// @throws IllegalArgumentException if offsets of strings are wrong
    public void narrow() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(columns.size() * (COLUMN_BYTES + RANGE_BYTES), Long.BYTES);
            MemorySegment hostRanges = host.asSlice(columns.size() * COLUMN_BYTES);
            put(host);
            for (int c = 0; c < columns.size(); c++) {
                hostRanges.set(ValueLayout.JAVA_LONG, place(c, ColumnRange.LEAST), -1);
            }
            stream.copyToDevice(table, host, host.byteSize());
            kernels.of("narrow_columns").values(table, columns.size(), ranges).launchFor(stream, blocks(count));
            stream.copyToHost(hostRanges, ranges, hostRanges.byteSize());
            stream.synchronize();
            List<NarrowedColumn> narrowed = new ArrayList<>();
            for (int c = 0; c < columns.size(); c++) {
                DeviceColumn column = columns.get(c).column();
                long wrong = hostRanges.get(ValueLayout.JAVA_LONG, place(c, ColumnRange.WRONG));
                if (wrong != 0) {
                    throw column.text().wrongOffset(stream, count - wrong);
                }
                narrowed.add(NarrowedColumn.of(
                        column,
                        hostRanges.get(ValueLayout.JAVA_LONG, place(c, ColumnRange.LEAST)),
                        hostRanges.get(ValueLayout.JAVA_LONG, place(c, ColumnRange.GREATEST)),
                        hostRanges.get(ValueLayout.JAVA_LONG, place(c, ColumnRange.DIFFERING)),
                        c == columns.size() - 1));
            }
            columns = narrowed;
            put(host);
            stream.copyToDevice(table, host, columns.size() * COLUMN_BYTES);
            // The copies read host memory that is freed now.
            stream.synchronize();
        }
    }

    private static long place(int column, ColumnRange field) {
        return column * RANGE_BYTES + (long) field.ordinal() * Long.BYTES;
    }

    private void put(MemorySegment host) {
        for (int c = 0; c < columns.size(); c++) {
            MemorySegment.copy(
                    columns.get(c).fields(),
                    0,
                    host,
                    ValueLayout.JAVA_LONG,
                    c * COLUMN_BYTES,
                    KeyColumn.values().length);
        }
    }

    /// Returns whether the keys are words, once they have been narrowed.
    public boolean areWords() {
        return columns.stream().noneMatch(column -> column.column().hasStrings())
                && columns.stream().mapToLong(NarrowedColumn::fixedBits).sum() <= Long.SIZE;
    }

    /// Makes the words of all rows, which compare as unsigned.
    ///
    /// @param words device address of room for the words
    public void pack(long words) {
        kernels.of("pack_rows").values(table, columns.size(), count, words).launchFor(stream, blocks(count));
    }

    /// Returns how many bytes each row has without its strings of any length, which begin with a new byte.
    private long fixedBytes() {
        long bytes = 0;
        long bits = 0;
        for (NarrowedColumn column : columns) {
            bits += column.fixedBits();
            if (column.column().hasStrings()) {
                bytes += Math.ceilDiv(bits, Byte.SIZE);
                bits = 0;
            }
        }
        return bytes + Math.ceilDiv(bits, Byte.SIZE);
    }

    /// Measures the encoded rows, waits for that, and returns how many bytes they have together.
    ///
    /// @param strings finishes the offsets
    public long measure(StringKernels strings) {
        long most = count * fixedBytes()
                + columns.stream().mapToLong(NarrowedColumn::mostStringBytes).sum();
        int offsetBytes = most <= mostIntBytes ? Integer.BYTES : Long.BYTES;
        long tileCount = Math.ceilDiv(count, KernelConstants.TIE_TILE);
        long offsets = owned.add(allocate((count + 1) * offsetBytes)).address();
        long tiles = owned.add(allocate((tileCount + 1) * Long.BYTES)).address();
        long total = tiles + tileCount * Long.BYTES;
        // The offsets count from the beginning of each tile until they are finished.
        kernels.of("measure_rows")
                .values(table, columns.size(), fixedBytes(), count, offsets, offsetBytes, tiles)
                .launch(stream, tileCount);
        strings.finishOffsets(stream, offsets, offsetBytes, count, tiles, total);
        long byteCount;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sum = arena.allocate(ValueLayout.JAVA_LONG);
            stream.copyToHost(sum, total, Long.BYTES);
            stream.synchronize();
            byteCount = sum.get(ValueLayout.JAVA_LONG, 0);
        }
        rows = new DeviceText(0, byteCount, offsets, offsetBytes, count, 0);
        return byteCount;
    }

    /// Returns the device memory that the offsets of the encoded rows have taken, once the rows are measured.
    public long offsetBytes() {
        return (count + 1) * rows.offsetBytes();
    }

    /// Returns the device memory that encoding the rows takes in addition, once they are measured.
    public long encodedBytes() {
        return Math.max(1, rows.byteCount());
    }

    /// Writes the rows as strings, once they are measured. The strings belong to this object and are freed with it.
    public DeviceText encode() {
        long bytes = owned.add(allocate(Math.max(1, rows.byteCount()))).address();
        DeviceText encoded =
                new DeviceText(bytes, rows.byteCount(), rows.offsets(), rows.offsetBytes(), rows.count(), 0);
        kernels.of("encode_rows")
                .values(table, columns.size())
                .with(encoded.fields(StringOrder.bytes()))
                .values(bytes)
                .launchFor(stream, blocks(count));
        return encoded;
    }

    @Override
    public void close() {
        owned.close();
    }
}
