package io.samplesort.lines.flow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Finds the ends of lines in a block of text, eight bytes at a time.
public final class LineScan {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long LOW_BITS = 0x7f7f_7f7f_7f7f_7f7fL;
    private static final int LEAST_ROOM = 1 << 10;

    private final long pattern;
    private final byte terminator;
    private int[] ends = new int[LEAST_ROOM];
    private int count;

    public LineScan(byte terminator) {
        this.terminator = terminator;
        this.pattern = EACH_BYTE * Byte.toUnsignedLong(terminator);
    }

    /// Returns a word in which exactly those bytes are not 0, but 0x80, that are the same in both words.
    public static long equalBytes(long word, long pattern) {
        long different = word ^ pattern;
        return ~(((different & LOW_BITS) + LOW_BITS) | different | LOW_BITS);
    }

    /// Finds all terminators in the bytes `from` to `to - 1`, at most 2^31 of them.
    ///
    /// @return how many there are; [#ends] has them
    public int scan(MemorySegment text, long from, long to) {
        count = 0;
        int length = (int) (to - from);
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            if (ends.length - count < Long.BYTES) {
                ends = Arrays.copyOf(ends, 2 * ends.length);
            }
            long equal = equalBytes(text.get(WORD, from + at), pattern);
            int[] found = ends;
            int n = count;
            while (equal != 0) {
                found[n++] = at + (Long.numberOfTrailingZeros(equal) >>> 3) + 1;
                equal &= equal - 1;
            }
            count = n;
        }
        for (; at < length; at++) {
            if (text.get(ValueLayout.JAVA_BYTE, from + at) == terminator) {
                if (ends.length == count) {
                    ends = Arrays.copyOf(ends, 2 * ends.length);
                }
                ends[count++] = at + 1;
            }
        }
        return count;
    }

    /// Returns where the lines end that were found, just behind their terminators, counted from the beginning of the
    /// block. It holds until the next scan.
    public int[] ends() {
        return ends;
    }
}
