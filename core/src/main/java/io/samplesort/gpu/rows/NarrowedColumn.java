package io.samplesort.gpu.rows;

import io.samplesort.gpu.code.KernelStructs.KeyColumn;

/// A column, and how its values go into the key of a row. The type of a column is wide, but its values are mostly small
/// or similar: the numbers from 0 to 1000 take ten bits, and whole numbers in doubles few more.
///
/// @param least        the least bits that a number has, which are subtracted
/// @param zeros        how many of the lowest bits are then zero in all rows, and are left out
/// @param width        how many bits of a number are left; 0 if all rows are equal
/// @param isTerminated whether strings of any length are escaped and terminated, since another column follows them or
///     their order is descending
record NarrowedColumn(DeviceColumn column, long least, int zeros, int width, boolean isTerminated) {
    /// Returns a column about whose values nothing is known.
    static NarrowedColumn whole(DeviceColumn column) {
        return new NarrowedColumn(column, 0, 0, column.hasNumbers() ? Long.SIZE : 0, true);
    }

    /// Returns a column with as many bits as its numbers need.
    ///
    /// @param least     the least bits, as unsigned
    /// @param greatest  the greatest bits; less than the least ones if all rows are null
    /// @param differing the bits in which any rows differ
    /// @param isLast    whether it is the last column
    static NarrowedColumn of(DeviceColumn column, long least, long greatest, long differing, boolean isLast) {
        boolean isTerminated = !isLast || column.isDescending();
        if (!column.hasNumbers() || Long.compareUnsigned(least, greatest) >= 0) {
            return new NarrowedColumn(column, least, 0, 0, isTerminated);
        }
        int zeros = Long.numberOfTrailingZeros(differing);
        int width = Long.SIZE - Long.numberOfLeadingZeros(greatest - least) - zeros;
        return new NarrowedColumn(column, least, zeros, width, isTerminated);
    }

    /// Returns how many bits of this column every row has, not counting strings of any length.
    long fixedBits() {
        long mark = column.validity() != 0 ? 1 : 0;
        if (column.hasNumbers()) {
            return mark + width;
        }
        return mark + (column.hasStrings() ? 0 : (long) Byte.SIZE * column.valueBytes());
    }

    /// Returns the most bytes that the strings of any length have in all rows together.
    long mostStringBytes() {
        if (!column.hasStrings()) {
            return 0;
        }
        return isTerminated
                ? 2 * column.text().byteCount() + column.count()
                : column.text().byteCount();
    }

    /// Returns the struct `KeyColumn` of key_columns.cuh.
    long[] fields() {
        return column.fields()
                .set(KeyColumn.IS_TERMINATED, isTerminated ? 1 : 0)
                .set(KeyColumn.LEAST, least)
                .set(KeyColumn.ZEROS, zeros)
                .set(KeyColumn.WIDTH, width)
                .toArray();
    }
}
