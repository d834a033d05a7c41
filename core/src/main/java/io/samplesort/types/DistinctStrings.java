package io.samplesort.types;

/// The different strings of a sequence of strings, in order.
///
/// @param indexes the index of the first occurrence of each different string
/// @param counts  how often each occurs
public record DistinctStrings(int[] indexes, int[] counts) {
    /// Returns how many different strings there are.
    public int size() {
        return indexes.length;
    }
}
