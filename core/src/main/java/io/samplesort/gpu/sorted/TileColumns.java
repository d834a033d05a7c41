package io.samplesort.gpu.sorted;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.KernelStructs.SortedColumn;
import io.samplesort.gpu.code.StructValues;
import java.util.ArrayList;
import java.util.List;

/// The columns that an operation on one or two sorted arrays reads and writes, by their device addresses.
///
/// @param first   the columns of the first array; that of the elements is the first one
/// @param second  those of the second array; missing ones and 0 are never read
/// @param targets where they go; missing ones and 0 are not written
/// @param bytes   bytes of a value in each column
record TileColumns(long[] first, long[] second, long[] targets, int[] bytes) {
    private static final int LARGEST_UNIT_BYTES = 16;

    /// Returns the columns of one array.
    static TileColumns ofOne(long[] columns, long[] targets, int[] bytes) {
        return new TileColumns(columns, new long[0], targets, bytes);
    }

    /// Returns the structs `SortedColumns` of the launches that write all columns. Each begins with the elements, which
    /// the first launch writes.
    List<long[]> structs() {
        List<long[]> structs = new ArrayList<>();
        int most = KernelConstants.MOST_SORTED_COLUMNS - 1;
        int next = 1;
        do {
            int end = Math.min(next + most, bytes.length);
            long[] struct = new long[KernelStructs.SORTED_COLUMNS_LONGS];
            struct[0] = 1L + end - next;
            put(struct, 0, 0, structs.isEmpty() ? at(targets, 0) : 0);
            for (int c = next; c < end; c++) {
                put(struct, 1 + c - next, c, at(targets, c));
            }
            structs.add(struct);
            next = end;
        } while (next < bytes.length);
        return structs;
    }

    private void put(long[] struct, int place, int column, long target) {
        long from = first[column];
        long other = at(second, column);
        long unit = Math.min(LARGEST_UNIT_BYTES, Long.lowestOneBit(from | other | target | bytes[column]));
        long[] values = new StructValues<>(SortedColumn.values())
                .set(SortedColumn.FIRST, from)
                .set(SortedColumn.SECOND, other)
                .set(SortedColumn.TARGET, target)
                .set(SortedColumn.BYTES, bytes[column])
                .set(SortedColumn.UNIT_BYTES, unit)
                .toArray();
        System.arraycopy(values, 0, struct, 1 + place * values.length, values.length);
    }

    private static long at(long[] addresses, int column) {
        return column < addresses.length ? addresses[column] : 0;
    }
}
