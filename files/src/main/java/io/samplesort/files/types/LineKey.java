package io.samplesort.files.types;

import java.util.Objects;

/// A part of each line that lines are compared by, as the option `-k` of the command `sort` names it: from a byte of a
/// field to a byte of the same or another field.
///
/// Without a separator, a field consists of blanks and what follows them up to the next blank. With one, it is what
/// lies between two separators. A part that lies beyond the end of a line is empty.
///
/// @param startField        the number of the first field, from 1 on
/// @param startByte         where the key begins in that field, from 1 on
/// @param endField          the number of the last field; 0 for the end of the line
/// @param endByte           how many bytes of the last field belong to the key; 0 for all
/// @param skipsBlanksAtStart whether blanks at the beginning of the first field are not counted for `startByte`
/// @param skipsBlanksAtEnd  whether blanks at the beginning of the last field are not counted for `endByte`
/// @param kind              what the key is compared as
/// @param bytes             which bytes of the key count
/// @param ignoresAsciiCase  whether the letters `a` to `z` count as `A` to `Z`
/// @param isReversed        whether the order runs last to first
public record LineKey(
        long startField,
        long startByte,
        long endField,
        long endByte,
        boolean skipsBlanksAtStart,
        boolean skipsBlanksAtEnd,
        Kind kind,
        Bytes bytes,
        boolean ignoresAsciiCase,
        boolean isReversed) {
    /// What a key is compared as.
    public enum Kind {
        /// Byte by byte.
        TEXT,
        /// A decimal number of any length, after blanks: digits, perhaps with a minus sign before and a point within.
        /// Anything else counts as 0.
        NUMERIC,
        /// A number as C's `strtold` reads it, in the precision of the x87's 80 bits. Text that is no number comes
        /// first, then NaNs, then all other numbers.
        GENERAL_NUMERIC,
        /// A number with a suffix such as `2K` or `1G`. The sign is compared first, then the suffix, then the number.
        HUMAN_NUMERIC,
        /// The name of a month, of which three letters count. Text that is no month comes first.
        MONTH,
        /// A name with numbers in it, such as that of a version or a file: digits compare as numbers, a tilde comes
        /// before everything, and suffixes are compared last.
        VERSION
    }

    /// Which bytes of a key count.
    public enum Bytes {
        ALL,
        /// Those from space to tilde, which ASCII can print.
        PRINTABLE,
        /// Letters and digits of ASCII, and blanks.
        DICTIONARY
    }

    /// @throws IllegalArgumentException if a number is out of its range, or a key that is a number is to have only some
    ///     of its bytes compared
    public LineKey {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(bytes, "bytes");
        if (startField < 1 || startByte < 1) {
            throw new IllegalArgumentException(
                    "a key from field " + startField + ", byte " + startByte + ": fields and bytes are counted from 1");
        }
        if (endField < 0 || endByte < 0) {
            throw new IllegalArgumentException(
                    "a key to field " + endField + ", byte " + endByte + ": must not be negative");
        }
        if (bytes != Bytes.ALL && kind != Kind.TEXT && kind != Kind.VERSION) {
            throw new IllegalArgumentException("a number or a month has no bytes that do not count: compare it as text"
                    + " or let all bytes count");
        }
    }

    /// Returns a key that is the whole line as text.
    public static LineKey wholeLine() {
        return new LineKey(1, 1, 0, 0, false, false, Kind.TEXT, Bytes.ALL, false, false);
    }

    /// Returns a key of whole fields as text. Their first bytes are the blanks before them, if there is no separator.
    ///
    /// @param first the number of the first field, from 1 on
    /// @param last  the number of the last one; 0 for all that follow
    public static LineKey fields(long first, long last) {
        return new LineKey(first, 1, last, 0, false, false, Kind.TEXT, Bytes.ALL, false, false);
    }

    /// Returns the same key, compared as something else.
    public LineKey as(Kind otherKind) {
        return new LineKey(
                startField,
                startByte,
                endField,
                endByte,
                skipsBlanksAtStart,
                skipsBlanksAtEnd,
                otherKind,
                bytes,
                ignoresAsciiCase,
                isReversed);
    }

    /// Returns the same key from last to first.
    public LineKey reversed() {
        return new LineKey(
                startField,
                startByte,
                endField,
                endByte,
                skipsBlanksAtStart,
                skipsBlanksAtEnd,
                kind,
                bytes,
                ignoresAsciiCase,
                !isReversed);
    }
}
