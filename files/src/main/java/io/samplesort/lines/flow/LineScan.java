package io.samplesort.lines.flow;

import io.samplesort.shared.LineKernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Finds the ends of lines in a block of native memory: by kernels if they are available, and otherwise eight bytes at
/// a time.
///
/// Without kernels the text goes through an array, a window at a time, because Java's first compiler makes fast loops
/// over arrays. A loop over memory outside of the heap is slow until the second compiler is done with it, which takes
/// as long as scanning hundreds of megabytes.
public final class LineScan {
    /// How far a scan may read beyond the block.
    public static final int SLACK_BYTES = Long.BYTES;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long LOW_BITS = 0x7f * EACH_BYTE;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final int LARGEST_WINDOW = 32 << 10;

    private final byte terminator;
    private final long pattern;
    private final boolean hasKernels;
    /// The block scanned last, if kernels have counted the ends in it.
    private MemorySegment scanned;
    private long[] window = {};
    private int[] ends = {};
    private int count;

    public LineScan(byte terminator) {
        this(terminator, LineKernels.areThere());
    }

    /// @param hasKernels whether to use kernels, which must be available
    LineScan(byte terminator, boolean hasKernels) {
        this.hasKernels = hasKernels;
        this.terminator = terminator;
        this.pattern = EACH_BYTE * Byte.toUnsignedLong(terminator);
    }

    /// Returns a word in which exactly those bytes are not 0, but 0x80, that are the same in both words.
    public static long equalBytes(long word, long pattern) {
        long different = word ^ pattern;
        return ~(((different & LOW_BITS) + LOW_BITS) | different | LOW_BITS);
    }

    /// Finds all terminators in the bytes `from` to `to - 1`, at most 2^31 of them. The text has [#SLACK_BYTES] more.
    ///
    /// @return how many there are; [#copyEnds] says where
    public int scan(MemorySegment text, long from, long to) {
        if (hasKernels) {
            scanned = text.asSlice(from, to - from);
            return (int) LineKernels.countEnds(scanned, terminator);
        }
        count = 0;
        int length = (int) (to - from);
        for (int begin = 0; begin < length; begin += LARGEST_WINDOW) {
            int words = Math.ceilDiv(Math.min(LARGEST_WINDOW, length - begin), Long.BYTES);
            makeRoom(words);
            MemorySegment.copy(text, WORD, from + begin, window, 0, words);
            scan(words, begin + 1);
        }
        // The last word may have bytes beyond the block.
        while (count > 0 && ends[count - 1] > length) {
            count--;
        }
        return count;
    }

    private void makeRoom(int words) {
        if (window.length < words) {
            window = new long[words];
        }
        int most = count + words * Long.BYTES;
        if (ends.length < most) {
            ends = Arrays.copyOf(ends, Math.max(most, 2 * count));
        }
    }

    /// @param begin the place that is reported for the first byte
    private void scan(int words, int begin) {
        int n = count;
        for (int i = 0, at = begin; i < words; i++, at += Long.BYTES) {
            long different = window[i] ^ pattern;
            // The lowest bit that is set here is that of the first terminator. Those above it may mislead.
            long found = (different - EACH_BYTE) & ~different & HIGH_BITS;
            // It cannot be predicted whether there is one at all, so a place is written in any case, and counted if
            // there is one.
            ends[n] = at + (Long.numberOfTrailingZeros(found) >>> 3);
            n += (int) ((found | -found) >>> (Long.SIZE - 1));
            if ((found & (found - 1)) != 0) {
                long equal = equalBytes(window[i], pattern);
                for (equal &= equal - 1; equal != 0; equal &= equal - 1) {
                    ends[n++] = at + (Long.numberOfTrailingZeros(equal) >>> 3);
                }
            }
        }
        count = n;
    }

    /// Writes the ends of the first lines that were found, which lie just after their terminators.
    ///
    /// @param lines   how many
    /// @param base    where the block begins
    /// @param offsets takes an `int` or a `long` for each, from this one on
    public void copyEnds(int lines, long base, MemorySegment offsets, long first, boolean isWide) {
        int size = isWide ? Long.BYTES : Integer.BYTES;
        if (hasKernels) {
            MemorySegment target = offsets.asSlice(first * size, (long) lines * size);
            LineKernels.writeEnds(scanned, terminator, lines, base, target, size);
        } else if (isWide) {
            for (int from = 0; from < lines; from += window.length) {
                int part = Math.min(window.length, lines - from);
                for (int i = 0; i < part; i++) {
                    window[i] = base + ends[from + i];
                }
                MemorySegment.copy(window, 0, offsets, ValueLayout.JAVA_LONG, (first + from) * Long.BYTES, part);
            }
        } else {
            int begin = (int) base;
            for (int i = 0; i < lines; i++) {
                ends[i] += begin;
            }
            MemorySegment.copy(ends, 0, offsets, ValueLayout.JAVA_INT, first * Integer.BYTES, lines);
        }
    }
}
