package io.samplesort.types;

import java.lang.foreign.MemorySegment;

/// An order of strings of bytes: byte by byte as unsigned numbers, and a string before all others that begin with it.
/// For UTF-8 this is the order of code points, and what `LC_ALL=C` means for other programs.
///
/// @param ignoresAsciiCase whether the letters `a` to `z` count as `A` to `Z`. Other bytes count as they are, including
///     those of letters beyond ASCII.
/// @param isReversed       whether the order runs last to first. Equal strings come in the order of their indexes even
///     then.
public record StringOrder(boolean ignoresAsciiCase, boolean isReversed) {
    private static final StringOrder BYTES = new StringOrder(false, false);

    /// Returns the order of the bytes.
    public static StringOrder bytes() {
        return BYTES;
    }

    /// Returns this order from last to first.
    public StringOrder reversed() {
        return new StringOrder(ignoresAsciiCase, !isReversed);
    }

    /// Returns this order with small letters of ASCII counted as capitals.
    public StringOrder ignoringAsciiCase() {
        return new StringOrder(true, isReversed);
    }

    /// Compares two strings of an array of strings.
    ///
    /// @return a negative number if string `i` comes before string `j`, zero if they are equal in this order, else a
    ///     positive number
    public int compare(Strings strings, long i, long j) {
        int ascending = ignoresAsciiCase ? compareWithoutCase(strings, i, j) : compareBytes(strings, i, j);
        return isReversed ? -ascending : ascending;
    }

    private static int compareBytes(Strings strings, long i, long j) {
        long from = strings.start(i);
        long to = strings.end(i);
        long otherFrom = strings.start(j);
        long otherTo = strings.end(j);
        long different = MemorySegment.mismatch(strings.bytes(), from, to, strings.bytes(), otherFrom, otherTo);
        if (different < 0) {
            return 0;
        }
        if (from + different == to || otherFrom + different == otherTo) {
            return Long.compare(to - from, otherTo - otherFrom);
        }
        return Byte.toUnsignedInt(strings.byteAt(from + different))
                - Byte.toUnsignedInt(strings.byteAt(otherFrom + different));
    }

    private static int compareWithoutCase(Strings strings, long i, long j) {
        long from = strings.start(i);
        long otherFrom = strings.start(j);
        long length = strings.end(i) - from;
        long otherLength = strings.end(j) - otherFrom;
        for (long at = 0; at < Math.min(length, otherLength); at++) {
            int difference = capital(strings.byteAt(from + at)) - capital(strings.byteAt(otherFrom + at));
            if (difference != 0) {
                return difference;
            }
        }
        return Long.compare(length, otherLength);
    }

    /// Returns a byte as an unsigned number, or the capital if it is a small letter of ASCII.
    private static int capital(byte value) {
        return value >= 'a' && value <= 'z' ? value - ('a' - 'A') : Byte.toUnsignedInt(value);
    }

    @Override
    public String toString() {
        return (ignoresAsciiCase ? "bytes, ASCII case ignored" : "bytes") + (isReversed ? ", reversed" : "");
    }
}
