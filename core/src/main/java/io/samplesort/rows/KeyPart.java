package io.samplesort.rows;

import io.samplesort.cpu.threads.Parallel;

/// A part of a row's key: the bits of a column, narrowed to as few as its values need. Columns are wide, but their
/// values are mostly small or similar: the numbers from 0 to 1000 take ten bits, and as doubles only a few more.
///
/// @param source what reads the column
/// @param least  the least value of the bits among the rows, which is subtracted
/// @param zeros  how many of the lowest bits are zero in all rows after that; these are left out
/// @param width  how many bits are left; 0 if all rows are equal
record KeyPart(ColumnBits source, long least, int zeros, int width) {
    /// Returns the part with as few bits as the given rows need. This reads all of them.
    ///
    /// @param rows which rows; null for `0..count`
    static KeyPart of(ColumnBits source, int[] rows, int count, Parallel parallel, int grain) {
        Range range = new Range();
        parallel.forRanges(count, grain, (first, last) -> {
            Range some = new Range();
            RowBlock.forBlocks(first, last, (from, n, block) -> {
                source.read(rows, from, n, block);
                some.include(source, rows, from, n, block.bits);
            });
            range.include(some);
        });
        return range.part(source);
    }

    /// Shifts bits of the rows into their words from below.
    ///
    /// @param rows  as by [ColumnBits#read]
    /// @param shift how many of the lowest bits of this part are left out
    /// @param bits  how many of the bits above those are taken, from 1 to 63
    /// @param words the words of the rows, from `at` on
    void append(int[] rows, int from, int count, int shift, int bits, long[] words, int at, RowBlock block) {
        source.read(rows, from, count, block);
        long[] read = block.bits;
        if (source.mayBeNull()) {
            for (int i = 0; i < count; i++) {
                if (source.isNull(rows == null ? from + i : rows[from + i])) {
                    read[i] = least;
                }
            }
        }
        long mask = -1L >>> Long.SIZE - bits;
        int below = zeros + shift;
        for (int i = 0; i < count; i++) {
            words[at + i] = words[at + i] << bits | read[i] - least >>> below & mask;
        }
    }

    /// The least and the greatest value among rows that are not null, and which bits differ.
    private static final class Range {
        private boolean isEmpty = true;
        private long first;
        /// With inverted sign bits, so that they compare as signed.
        private long least = Long.MAX_VALUE;

        private long greatest = Long.MIN_VALUE;
        private long differing;

        void include(ColumnBits source, int[] rows, int from, int count, long[] bits) {
            int valid = count;
            if (source.mayBeNull()) {
                valid = 0;
                for (int i = 0; i < count; i++) {
                    if (!source.isNull(rows == null ? from + i : rows[from + i])) {
                        bits[valid++] = bits[i];
                    }
                }
            }
            if (valid == 0) {
                return;
            }
            if (isEmpty) {
                first = bits[0];
                isEmpty = false;
            }
            long low = least;
            long high = greatest;
            long different = differing;
            for (int i = 0; i < valid; i++) {
                long flipped = bits[i] ^ Long.MIN_VALUE;
                low = Math.min(low, flipped);
                high = Math.max(high, flipped);
                // Differences have as many zeros at the end as the bits have in common there. The bits have the same
                // zeros once the least is subtracted.
                different |= bits[i] - first;
            }
            least = low;
            greatest = high;
            differing = different;
        }

        synchronized void include(Range other) {
            if (other.isEmpty) {
                return;
            }
            differing |= other.differing | (isEmpty ? 0 : other.first - first);
            if (isEmpty) {
                first = other.first;
                isEmpty = false;
            }
            least = Math.min(least, other.least);
            greatest = Math.max(greatest, other.greatest);
        }

        synchronized KeyPart part(ColumnBits source) {
            if (isEmpty || least == greatest) {
                return new KeyPart(source, isEmpty ? 0 : least ^ Long.MIN_VALUE, 0, 0);
            }
            int zeros = Long.numberOfTrailingZeros(differing);
            return new KeyPart(
                    source,
                    least ^ Long.MIN_VALUE,
                    zeros,
                    Long.SIZE - Long.numberOfLeadingZeros(greatest - least) - zeros);
        }
    }
}
