package io.samplesort.gpu.exchange;

import io.samplesort.gpu.sort.DeviceSort;

/// The columns of one GPU that take part in an exchange.
///
/// @param bytes   bytes of an element in each column, the compared elements first
/// @param sources device addresses of the columns; 0 for a column of indexes, which is yet to be made
/// @param results device addresses of the sorted columns
/// @param hasKeys whether the compared elements are wanted in order, too
public record ExchangeColumns(int[] bytes, long[] sources, long[] results, boolean hasKeys) {
    /// Returns columns that are sorted where they are.
    public static ExchangeColumns inPlace(DeviceSort sort, ExchangePart part) {
        return new ExchangeColumns(sort.columnBytes(), part.columns(), part.columns(), true);
    }

    /// Returns elements that stay where they are and whose indexes are written elsewhere in sorted order.
    public static ExchangeColumns indexes(DeviceSort sort, ExchangePart elements, long permutation, int indexBytes) {
        return new ExchangeColumns(
                new int[] {sort.columnBytes()[0], indexBytes},
                new long[] {elements.columns()[0], 0},
                new long[] {0, permutation},
                false);
    }

    public long rowBytes() {
        return sum(bytes);
    }

    /// Adds sizes up, without Java streams: their first use in a process takes longer than everything here.
    public static long sum(int[] bytes) {
        long sum = 0;
        for (int each : bytes) {
            sum += each;
        }
        return sum;
    }

    /// Returns whether a column is wanted in order.
    public boolean isWanted(int column) {
        return column > 0 || hasKeys;
    }

    /// Returns the bytes of an element in each column that is sent when elements are sorted by index: 0 for one that is
    /// not wanted, or that is made from the sort keys again.
    public int[] sentBytes(DeviceSort sort) {
        int[] sent = bytes.clone();
        if (!hasKeys || sort.element().restoresElements()) {
            sent[0] = 0;
        }
        return sent;
    }
}
