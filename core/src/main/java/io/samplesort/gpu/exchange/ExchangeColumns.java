package io.samplesort.gpu.exchange;

import io.samplesort.gpu.sort.DeviceSort;

/// The columns of one GPU that an exchange moves.
///
/// @param bytes   bytes of an element in each column, the compared elements first
/// @param sources device addresses of the columns; 0 for a column of indexes, which nobody has made yet
/// @param results device addresses of the sorted columns
/// @param hasKeys whether the compared elements are wanted in order, too
public record ExchangeColumns(int[] bytes, long[] sources, long[] results, boolean hasKeys) {
    /// Returns columns that are sorted where they are.
    public static ExchangeColumns inPlace(DeviceSort sort, ExchangePart part) {
        return new ExchangeColumns(sort.columnBytes(), part.columns(), part.columns(), true);
    }

    /// Returns elements whose indexes go elsewhere in the order of the elements.
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

    /// Adds sizes up. No streams, which take a young process longer than all that is done here.
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
    /// not wanted, or made again from the sort keys.
    public int[] sentBytes(DeviceSort sort) {
        int[] sent = bytes.clone();
        if (!hasKeys || sort.element().restoresElements()) {
            sent[0] = 0;
        }
        return sent;
    }
}
