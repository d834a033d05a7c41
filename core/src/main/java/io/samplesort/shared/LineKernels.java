package io.samplesort.shared;

import io.samplesort.cpu.leaf.TextKernels;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;

/// The kernels that find the ends of lines of text and copy lines, which run on any x86-64 processor. Several threads
/// may call them at once.
///
/// All memory is native, and callers must not free it before their calls have returned.
public final class LineKernels {
    /// How many numbers [Copy#gather] reports.
    public static final int GATHER_FIELDS = TextKernels.GATHER_FIELDS;

    /// How many numbers [Copy#count] reports.
    public static final int COUNT_FIELDS = TextKernels.COUNT_FIELDS;

    private LineKernels() {}

    /// Returns whether the kernels can be called in this process. The first call loads them.
    public static boolean areThere() {
        return TextKernels.areThere();
    }

    /// Returns how many bytes `terminator` a text has.
    public static long countEnds(MemorySegment text, byte terminator) {
        return TextKernels.countEnds(text, terminator);
    }

    /// Writes the ends of the lines of a text, which are just after their terminators.
    ///
    /// @param count       how many lines; the text has as many terminators or more
    /// @param base        what is added to each place in the text
    /// @param ends        takes an int or a long for each line
    /// @param offsetBytes 4 or 8
    public static void writeEnds(
            MemorySegment text, byte terminator, long count, long base, MemorySegment ends, int offsetBytes) {
        TextKernels.writeEnds(text, terminator, count, base, ends, offsetBytes);
    }

    /// Returns whether the ints `from..to` are consecutive numbers.
    public static boolean isConsecutive(MemorySegment ints, long from, long to) {
        return TextKernels.isConsecutive(ints, from, to);
    }

    /// Copies lines of text in another order.
    public static final class Copy {
        private final TextKernels.Copy copy;

        /// @param lines what is copied, with the terminators; the text has 15 bytes more
        /// @param keys  the keys by which lines are left out if they equal those of the line before; null if no lines
        ///     are left out
        public Copy(Strings lines, Strings keys, MemorySegment permutation) {
            this.copy = new TextKernels.Copy(text(lines), keys == null ? null : text(keys), permutation);
        }

        private static TextKernels.Text text(Strings strings) {
            return new TextKernels.Text(
                    strings.bytes(),
                    strings.offsets(),
                    strings.offsetType().byteSize(),
                    strings.terminatorBytes(),
                    false,
                    false);
        }

        /// Copies lines until one finds no room, or is longer than `longest`.
        ///
        /// @param target  where the lines go
        /// @param room    how many bytes they may take; the target has 15 more
        /// @param counted takes how many bytes were copied, how many lines were left out, and how many bytes these have
        /// @return the first place of `from..to` that was not looked at
        public long gather(long from, long to, MemorySegment target, long room, long longest, long[] counted) {
            return copy.gather(from, to, target, room, longest, counted);
        }

        /// Copies the first one of equal lines behind their number, as [TextKernels.Copy#count] says.
        public long count(
                long from, long to, int columns, int numbers, MemorySegment target, long room, long[] counted) {
            return copy.count(from, to, columns, numbers, target, room, counted);
        }
    }
}
