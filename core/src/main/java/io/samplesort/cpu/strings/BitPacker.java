package io.samplesort.cpu.strings;

/// Packs the bits of words that tell them from each other: those under a mask move together to the low end, in their
/// order, and the lowest of them are dropped if there are too many. All other bits are the same in all words, so packed
/// words compare as the words do, as far as the kept bits decide.
///
/// [Long#compress] does this with one instruction on some processors and is slow on others. The steps here are those of
/// H. S. Warren, Hacker's Delight, 2nd edition, section 7-4; what depends only on the mask is computed once.
final class BitPacker {
    private static final int STEPS = 6;

    private final long mask;
    private final int dropped;
    private final int commonSymbols;
    private final long[] moves = new long[STEPS];

    /// @param mask the bits that differ
    /// @param room the most bits to keep
    BitPacker(long mask, int room) {
        this.mask = mask;
        this.dropped = Math.max(0, Long.bitCount(mask) - room);
        long left = mask;
        for (int i = 1; i < dropped; i++) {
            left &= left - 1;
        }
        this.commonSymbols = dropped == 0 ? Symbols.COUNT : Symbols.above(Long.numberOfTrailingZeros(left));
        findMoves();
    }

    /// Finds for each step which bits move by 2^step places.
    private void findMoves() {
        long left = mask;
        long unset = ~mask << 1;
        for (int step = 0; step < STEPS; step++) {
            long odd = unset ^ unset << 1;
            odd ^= odd << 2;
            odd ^= odd << 4;
            odd ^= odd << 8;
            odd ^= odd << 16;
            odd ^= odd << 32;
            moves[step] = odd & left;
            left = left ^ moves[step] | moves[step] >>> (1 << step);
            unset &= ~odd;
        }
    }

    /// Returns how many symbols are the same in words that are equal when packed.
    int symbols() {
        return commonSymbols;
    }

    /// Packs words, and puts a number below each.
    ///
    /// @param shift how many bits the numbers have
    void pack(long[] words, long[] numbers, int count, int shift) {
        for (int i = 0; i < count; i++) {
            words[i] = pack(words[i]) << shift | numbers[i];
        }
    }

    /// Packs a word.
    long pack(long word) {
        long packed = word & mask;
        long move = packed & moves[0];
        packed = packed ^ move | move >>> 1;
        move = packed & moves[1];
        packed = packed ^ move | move >>> 2;
        move = packed & moves[2];
        packed = packed ^ move | move >>> 4;
        move = packed & moves[3];
        packed = packed ^ move | move >>> 8;
        move = packed & moves[4];
        packed = packed ^ move | move >>> 16;
        move = packed & moves[5];
        packed = packed ^ move | move >>> 32;
        return packed >>> dropped;
    }
}
