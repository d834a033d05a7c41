package io.samplesort.cpu.leaf;

/// What a sample of the keys of a range says about all of them. Keys are compared by their bits, as signed numbers.
///
/// @param size         how many keys were sampled
/// @param distinct     about how many distinct keys there are in the range
/// @param pivot        a key near the median of the range
/// @param isPivotFirst whether ascending parts are more even if keys that equal the pivot go to the first
/// @param negative     how many of the sampled keys have a sign bit
public record SampledKeys(long size, long distinct, long pivot, boolean isPivotFirst, long negative) {
    /// Fewer keys of one sign need not be split off, since reversing them in the end takes less time.
    private static final int SPLIT_FROM = 64;

    /// Returns whether there are several keys of either sign.
    public boolean hasBothSigns() {
        return Math.min(negative, size - negative) * SPLIT_FROM > size;
    }
}
