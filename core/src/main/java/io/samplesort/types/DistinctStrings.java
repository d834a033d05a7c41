package io.samplesort.types;

/// The different strings among others, in order.
///
/// @param indexes for each different string the index of its first occurrence
/// @param counts  how often each occurs
public record DistinctStrings(int[] indexes, int[] counts) {
    /// Returns how many different strings there are.
    public int size() {
        return indexes.length;
    }
}
