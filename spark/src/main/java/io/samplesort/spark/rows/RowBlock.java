package io.samplesort.spark.rows;

/// Rows in Spark's layout, one after the other in an array.
///
/// @param origin   where the rows come from: blocks with smaller numbers have earlier rows of the input
/// @param bytes    the rows, from the first byte on
/// @param size     how many bytes they take
/// @param count    how many rows there are
/// @param rowBytes the size of each row; 0 if they differ
/// @param ends     where each row ends, if their sizes differ, else null
public record RowBlock(long origin, byte[] bytes, int size, int count, int rowBytes, int[] ends) {
    /// Returns the origin of a block.
    ///
    /// @param partition the partition of the input that the block is from
    /// @param number    which block of this partition it is
    public static long origin(int partition, int number) {
        return (long) partition << Integer.SIZE | number;
    }

    int end(int row) {
        return ends == null ? (row + 1) * rowBytes : ends[row];
    }
}
