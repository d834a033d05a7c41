package io.samplesort.cpu.strings;

/// Strings that are left to sort: those at places `from..to` of the permutation.
///
/// @param depth   how many bytes they have in common, unless all of them have fewer and are equal
/// @param isWhole whether these are all strings, in input order
record StringGroup(long from, long to, long depth, boolean isWhole) {
    long count() {
        return to - from;
    }

    /// Returns the same group, with more bytes known to be in common.
    StringGroup deeper(long bytes) {
        return new StringGroup(from, to, depth + bytes, isWhole);
    }
}
