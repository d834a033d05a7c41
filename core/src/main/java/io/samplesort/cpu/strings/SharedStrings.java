package io.samplesort.cpu.strings;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What all threads of one sort share.
///
/// @param count       how many strings there are
/// @param offsets     where they begin and end
/// @param text        their bytes
/// @param keys        room for one long for each string: first its word, then the packed word with the index in the low
///     bits
/// @param permutation takes the result. Long runs have their indexes there before they are sorted.
/// @param indexBits   how many bits of a key are the index
record SharedStrings(
        long count, Offsets offsets, StringBytes text, MemorySegment keys, Indexes permutation, int indexBits) {
    long indexMask() {
        return (1L << indexBits) - 1;
    }

    long key(long place) {
        return keys.get(ValueLayout.JAVA_LONG_UNALIGNED, place * Long.BYTES);
    }

    /// Returns the end of the run of equal words that `place` belongs to. It is searched in steps that double, since
    /// most runs are short and some may be the whole input.
    long runEnd(long place, long limit) {
        long word = key(place) >>> indexBits;
        long equal = place;
        long step = 1;
        while (equal + step < limit && key(equal + step) >>> indexBits == word) {
            equal += step;
            step *= 2;
        }
        long different = Math.min(limit, equal + step);
        while (different - equal > 1) {
            long middle = (equal + different) >>> 1;
            if (key(middle) >>> indexBits == word) {
                equal = middle;
            } else {
                different = middle;
            }
        }
        return different;
    }
}
