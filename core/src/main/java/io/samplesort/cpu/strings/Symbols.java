package io.samplesort.cpu.strings;

import io.samplesort.types.StringOrder;

/// Turns the next bytes of a string into a word: seven symbols of nine bits each, the first in the highest bits. The
/// symbol of a byte is 256 more than the byte, and the symbol of the end and of everything beyond it is 0. So words
/// compare as strings do, whatever values the bytes have, and a word shows whether its string ends in it.
///
/// A word is never negative.
final class Symbols {
    /// Symbols in a word.
    static final int COUNT = 7;

    private static final int BITS = 9;
    private static final long ALL_BITS = Long.MAX_VALUE;

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long LOW_SEVEN = 0x7f * EACH_BYTE;
    private static final long HIGH_BIT = 0x8080_8080_8080_8080L;

    /// For each number of remaining bytes of a string, up to seven: a mask of these bytes, and the high bits of their
    /// symbols.
    private static final long[] KEPT = new long[COUNT + 1];
    private static final long[] PRESENT = new long[COUNT + 1];

    static {
        for (int left = 1; left <= COUNT; left++) {
            KEPT[left] = KEPT[left - 1] | 0xffL << 8 * (COUNT - left);
            PRESENT[left] = PRESENT[left - 1] | 1L << BITS * (COUNT - left) + 8;
        }
    }

    private final boolean ignoresCase;
    private final long inverted;

    Symbols(StringOrder order) {
        this.ignoresCase = order.ignoresAsciiCase();
        this.inverted = order.isReversed() ? ALL_BITS : 0;
    }

    /// Turns the next eight bytes of strings into words, in place. The parameters are those of [StringBytes#words].
    ///
    /// @return the bits in which a word differs from the first
    long convert(long[] strings, long mask, int from, int to, long[] starts, long[] ends, long depth, long[] words) {
        long different = 0;
        for (int i = from; i < to; i++) {
            int string = (int) (strings[i] & mask);
            words[i] = word(words[i], ends[string] - starts[string] - depth);
            different |= words[i] ^ words[from];
        }
        return different;
    }

    /// Returns a word.
    ///
    /// @param bytes the next eight bytes, the first in the highest bits; those beyond the end may have any value
    /// @param left  how many bytes are left of the string
    long word(long bytes, long left) {
        int kept = (int) Math.min(left, COUNT);
        return (spread(folded(bytes) >>> 8 & KEPT[kept]) | PRESENT[kept]) ^ inverted;
    }

    /// Returns whether the string of a word ends in it, so that all strings with this word are equal.
    boolean isEnd(long word) {
        return ((word ^ inverted) & (1L << BITS) - 1) == 0;
    }

    /// Returns whether the order treats some different bytes as equal.
    boolean folds() {
        return ignoresCase;
    }

    /// Returns eight bytes in the form in which the order compares them.
    long folded(long bytes) {
        return ignoresCase ? capitals(bytes) : bytes;
    }

    /// Moves seven bytes nine bits apart.
    private static long spread(long bytes) {
        long upper = bytes & 0x00ff_ffff_0000_0000L;
        long spread = bytes ^ upper | upper << 4;
        long second = spread & (0xffL << 52 | 0xffffL << 16);
        spread = spread ^ second | second << 2;
        long odd = spread & (0xffL << 44 | 0xffL << 26 | 0xffL << 8);
        return spread ^ odd | odd << 1;
    }

    /// Turns small letters of ASCII into capitals, in all eight bytes at once.
    static long capitals(long bytes) {
        long low = bytes & LOW_SEVEN;
        long fromA = low + (0x80 - 'a') * EACH_BYTE;
        long beyondZ = low + (0x80 - 'z' - 1) * EACH_BYTE;
        long isSmall = fromA & ~beyondZ & ~bytes & HIGH_BIT;
        return bytes ^ isSmall >>> 2;
    }

    /// Returns how many symbols are the same in a set of words.
    ///
    /// @param different the bits that differ
    static int common(long different) {
        return (Long.numberOfLeadingZeros(different) - 1) / BITS;
    }

    /// Returns how many symbols lie wholly above the bit with this number.
    static int above(int bit) {
        return (Long.SIZE - 2 - bit) / BITS;
    }
}
