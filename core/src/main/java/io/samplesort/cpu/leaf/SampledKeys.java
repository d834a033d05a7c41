package io.samplesort.cpu.leaf;

/// What some keys of a range tell of all of them. They are compared by their bits, as signed numbers.
///
/// @param size         how many keys were looked at
/// @param distinct     about how many distinct keys there are in the range
/// @param pivot        a key near the median of the range
/// @param isPivotFirst whether ascending parts are more even if keys that equal the pivot go to the first
/// @param negative     how many of those that were looked at have a sign bit
public record SampledKeys(long size, long distinct, long pivot, boolean isPivotFirst, long negative) {
    /// Fewer keys of one sign need not be split off, since it is less to reverse them in the end.
    private static final int SPLIT_FROM = 64;

    /// Returns whether several keys have either sign.
    public boolean hasBothSigns() {
        return Math.min(negative, size - negative) * SPLIT_FROM > size;
    }
}
