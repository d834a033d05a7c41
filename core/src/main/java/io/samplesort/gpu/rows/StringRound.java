package io.samplesort.gpu.rows;

import io.samplesort.gpu.code.KernelStructs.Round;
import io.samplesort.gpu.code.StructValues;

/// One round of a sort of strings, whose words have been sorted. Kernels take it as the struct `Round` of ties.cuh.
///
/// @param count     how many strings the round sorts
/// @param sorted    device address of the sort keys in order
/// @param tied      the strings of the round; null in the first round, which sorts all
/// @param wordBytes how many bytes of a string a word of a later round has
/// @param state     device address of the `TieState`
record StringRound(long count, long sorted, TiedStrings tied, int wordBytes, long state) {
    /// Returns the struct.
    long[] fields() {
        return new StructValues<>(Round.values())
                .set(Round.COUNT, count)
                .set(Round.SORTED, sorted)
                .set(Round.STRINGS, tied == null ? 0 : tied.strings())
                .set(Round.PLACES, tied == null ? 0 : tied.places())
                .set(Round.DEPTHS, tied == null ? 0 : tied.depths())
                .set(Round.SKIPS, tied == null ? 0 : tied.skips())
                .set(Round.WORD_BYTES, wordBytes)
                .set(Round.STATE, state)
                .toArray();
    }
}
