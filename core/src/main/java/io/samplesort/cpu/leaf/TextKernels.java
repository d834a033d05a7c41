package io.samplesort.cpu.leaf;

import java.lang.foreign.MemorySegment;

/// The kernels of this engine for text (`samplesort_text.cpp`), which run on any x86-64 processor. Several threads may
/// call them at once.
///
/// They are called through Java's native interface, which is ready at once but does not keep memory from being freed
/// during a call. So all memory is native, and callers must not free it before their calls have returned.
public final class TextKernels {
    /// The most ranges that a range is split into.
    public static final int MOST_PARTS = 3;

    /// The numbers for each part: where it begins and ends, and how many bytes its strings have in common.
    public static final int PART_FIELDS = 3;

    /// How many numbers [Copy#gather] reports.
    public static final int GATHER_FIELDS = 3;

    /// How many numbers [Copy#count] reports.
    public static final int COUNT_FIELDS = 6;

    private TextKernels() {}

    /// What is known about the kernels in this process.
    private static final class Found {
        /// Null if they are available.
        private static final String PROBLEM = find();

        private static String find() {
            String refusal = KernelLibrary.refusal();
            if (refusal != null) {
                return refusal;
            }
            String problem = KernelLibrary.problem();
            KernelLeftovers.remove();
            return problem == null ? trial() : problem;
        }

        /// Returns the problem that a call that does nothing shows; null if there is none.
        private static String trial() {
            try {
                return countEnds(0, 0, (byte) 0) == 0 ? null : "they have counted wrongly when they were tried";
            } catch (UnsatisfiedLinkError e) {
                return "the library is of another version";
            }
        }
    }

    /// Returns whether the kernels can be called in this process. The first call loads them.
    public static boolean areThere() {
        return problem() == null;
    }

    /// Returns why the kernels are not available, in words; null if they are.
    static String problem() {
        return Found.PROBLEM;
    }

    /// Strings in native memory, in the form that the kernels use.
    ///
    /// @param offsets         where each begins in `text`, and where the last one ends
    /// @param offsetBytes     4 or 8
    /// @param terminatorBytes how many bytes at the end of each are not compared
    /// @param ignoresCase     whether small letters of ASCII are compared as capitals
    /// @param isReversed      whether the last string goes first
    public record Text(
            MemorySegment text,
            MemorySegment offsets,
            int offsetBytes,
            int terminatorBytes,
            boolean ignoresCase,
            boolean isReversed) {
        private long[] fields() {
            return new long[] {
                text.address(),
                text.byteSize(),
                offsets.address(),
                offsetBytes,
                terminatorBytes,
                (ignoresCase ? 1 : 0) | (isReversed ? 2 : 0)
            };
        }
    }

    /// Finds the order of strings.
    ///
    /// @see TextKernels#sort
    public static final class Sort {
        private final long[] fields;
        private final long words;
        private final long permutation;

        private Sort(long[] fields, long words, long permutation) {
            this.fields = fields;
            this.words = words;
            this.permutation = permutation;
        }

        /// Writes the indexes of the strings `from..to` to the permutation, and reads the first words of these strings.
        public void begin(long from, long to) {
            TextKernels.begin(fields, words, permutation, from, to);
        }

        /// Returns whether the strings `from..to` are in order, and none belongs before the string that precedes them.
        /// [#begin] must have been called for all of these.
        public boolean isSorted(long from, long to) {
            return TextKernels.isSorted(fields, words, permutation, from, to);
        }

        /// Sorts the places `from..to`, whose words have been read. Equal strings come in the order of their indexes.
        ///
        /// @param depth how many common bytes of the strings come before these words
        public void sort(long from, long to, long depth) {
            TextKernels.sort(fields, words, permutation, from, to, depth);
        }

        /// Splits such places into ranges that can be sorted independently.
        ///
        /// @param parts takes [#PART_FIELDS] numbers for each of at most [#MOST_PARTS] ranges
        /// @return how many ranges are left to sort
        public int split(long from, long to, long depth, long[] parts) {
            return TextKernels.split(fields, words, permutation, from, to, depth, parts);
        }
    }

    /// Returns a sort of strings.
    ///
    /// @param words       room for a long for each string
    /// @param permutation room for an int for each string, which takes the order
    public static Sort sort(Text strings, MemorySegment words, MemorySegment permutation) {
        return new Sort(strings.fields(), words.address(), permutation.address());
    }

    /// Returns how many bytes `terminator` a text has.
    public static long countEnds(MemorySegment text, byte terminator) {
        return countEnds(text.address(), text.byteSize(), terminator);
    }

    /// Writes the ends of the lines of a text, which are just after their terminators.
    ///
    /// @param count       how many lines; the text has as many terminators or more
    /// @param base        what is added to each place in the text
    /// @param ends        takes an int or a long for each line
    /// @param offsetBytes 4 or 8
    public static void writeEnds(
            MemorySegment text, byte terminator, long count, long base, MemorySegment ends, int offsetBytes) {
        writeEnds(text.address(), text.byteSize(), terminator, count, ends.address(), offsetBytes, base);
    }

    /// Returns whether the ints `from..to` are consecutive numbers.
    public static boolean isConsecutive(MemorySegment ints, long from, long to) {
        return isConsecutive(ints.address(), from, to);
    }

    /// Copies lines of text in another order.
    ///
    /// @param lines what is copied, with the terminators; the text has 15 bytes more
    /// @param keys  the keys by which lines are left out if they equal those of the line before; null if no lines are
    ///     left out
    public record Copy(Text lines, Text keys, MemorySegment permutation) {
        /// Copies lines until one finds no room, or is longer than `longest`.
        ///
        /// @param target  where the lines go
        /// @param room    how many bytes they may take; the target has 15 more
        /// @param counted takes how many bytes were copied, how many lines were left out, and how many bytes these have
        /// @return the first place of `from..to` that was not looked at
        public long gather(long from, long to, MemorySegment target, long room, long longest, long[] counted) {
            return TextKernels.gather(
                    lines.fields(),
                    keys == null ? null : keys.fields(),
                    permutation.address(),
                    from,
                    to,
                    target.address(),
                    room,
                    longest,
                    counted);
        }

        /// Copies the first one of equal lines behind their number, until there may be no room. Those that are equal to
        /// the last one may lie beyond `to`.
        ///
        /// @param from    a line that differs from the one before
        /// @param columns in which a number is aligned to the right, before a space
        /// @param numbers how many bytes any number and its space take at most
        /// @param target  where the lines go
        /// @param room    how many bytes they may take; the target has 15 more
        /// @param counted takes how many bytes were written, how many lines were left out, their bytes, how many lines
        ///     were copied, their bytes, and the sum of the numbers
        /// @return the first place that was not looked at; may be more than `to`
        public long count(
                long from, long to, int columns, int numbers, MemorySegment target, long room, long[] counted) {
            return TextKernels.count(
                    lines.fields(),
                    keys.fields(),
                    permutation.address(),
                    from,
                    to,
                    permutation.byteSize() / Integer.BYTES,
                    columns,
                    numbers,
                    target.address(),
                    room,
                    counted);
        }
    }

    private static native long count(
            long[] lines,
            long[] keys,
            long permutation,
            long from,
            long to,
            long count,
            long columns,
            long numbers,
            long target,
            long room,
            long[] counted);

    private static native long countEnds(long text, long bytes, byte terminator);

    private static native void writeEnds(
            long text, long bytes, byte terminator, long most, long ends, int offsetBytes, long base);

    private static native void begin(long[] fields, long words, long permutation, long from, long to);

    private static native boolean isSorted(long[] fields, long words, long permutation, long from, long to);

    private static native void sort(long[] fields, long words, long permutation, long from, long to, long depth);

    private static native int split(
            long[] fields, long words, long permutation, long from, long to, long depth, long[] parts);

    private static native boolean isConsecutive(long permutation, long from, long to);

    private static native long gather(
            long[] lines,
            long[] keys,
            long permutation,
            long from,
            long to,
            long target,
            long room,
            long longest,
            long[] counted);
}
