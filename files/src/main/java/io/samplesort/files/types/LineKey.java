package io.samplesort.files.types;

import java.util.Objects;

/// A part of each line that lines are compared by, as the option `-k` of the command `sort` names it: from a byte of a
/// field to a byte of the same or another field.
///
/// Without a separator, a field consists of blanks and what follows them up to the next blank. With one, it is what
/// lies between two separators. A part that lies beyond the end of a line is empty.
///
/// ```java
/// LineKey.fields(2, 2).as(LineKey.Kind.NUMERIC).reversed()       // -k 2,2nr
/// LineKey.from(1, 3).to(4, 5).skippingBlanksAtStart()            // -k 1.3b,4.5
/// ```
///
/// A key is text of which all bytes count, ascending, until a method says otherwise. Keys are immutable; every method
/// returns a new one.
public final class LineKey {
    private final Rules rules;

    /// A byte of a line.
    ///
    /// @param inField     its place in the field, from 1 on; at the end of a key, 0 for all of the field
    /// @param skipsBlanks whether blanks at the beginning of the field are not counted for that
    private record Place(long field, long inField, boolean skipsBlanks) {
        Place skippingBlanks() {
            return new Place(field, inField, true);
        }
    }

    private record Rules(Place start, Place end, Kind kind, Bytes bytes, boolean ignoresAsciiCase, boolean isReversed) {
        Rules {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(bytes, "bytes");
            if (start.field < 1 || start.inField < 1) {
                throw new IllegalArgumentException("a key from field " + start.field + ", byte " + start.inField
                        + ": fields and bytes are counted from 1");
            }
            if (end.field < 0 || end.inField < 0) {
                throw new IllegalArgumentException(
                        "a key to field " + end.field + ", byte " + end.inField + ": must not be negative");
            }
            if (bytes != Bytes.ALL && kind != Kind.TEXT && kind != Kind.VERSION) {
                throw new IllegalArgumentException("a number or a month has no bytes that do not count: compare it as"
                        + " text or let all bytes count");
            }
        }
    }

    private LineKey(Place start, Place end, Kind kind, Bytes bytes, boolean ignoresAsciiCase, boolean isReversed) {
        rules = new Rules(start, end, kind, bytes, ignoresAsciiCase, isReversed);
    }

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

    /// Returns a key that is the whole line.
    public static LineKey wholeLine() {
        return from(1, 1);
    }

    /// Returns a key of whole fields. Their first bytes are the blanks before them, if there is no separator.
    ///
    /// @param first the number of the first field, from 1 on
    /// @param last  the number of the last one; 0 for all that follow
    /// @throws IllegalArgumentException if a number is out of its range
    public static LineKey fields(long first, long last) {
        return from(first, 1).to(last, 0);
    }

    /// Returns a key from a byte of a field to the end of the line.
    ///
    /// @param field  the number of the field, from 1 on
    /// @param inField where the key begins in that field, from 1 on
    /// @throws IllegalArgumentException if a number is less than 1
    public static LineKey from(long field, long inField) {
        return new LineKey(
                new Place(field, inField, false), new Place(0, 0, false), Kind.TEXT, Bytes.ALL, false, false);
    }

    /// Returns the same key up to a byte of a field, which belongs to it.
    ///
    /// @param field  the number of the last field; 0 for the end of the line
    /// @param inField how many bytes of that field belong to the key; 0 for all
    /// @throws IllegalArgumentException if a number is negative
    public LineKey to(long field, long inField) {
        return withEnd(new Place(field, inField, rules.end.skipsBlanks));
    }

    /// Returns the same key, which counts the byte that it begins with from the first byte after leading blanks of its
    /// first field.
    public LineKey skippingBlanksAtStart() {
        return new LineKey(
                rules.start.skippingBlanks(),
                rules.end,
                rules.kind,
                rules.bytes,
                rules.ignoresAsciiCase,
                rules.isReversed);
    }

    /// Returns the same key, which counts the bytes that belong to it from the first byte after leading blanks of its
    /// last field.
    public LineKey skippingBlanksAtEnd() {
        return withEnd(rules.end.skippingBlanks());
    }

    private LineKey withEnd(Place end) {
        return new LineKey(rules.start, end, rules.kind, rules.bytes, rules.ignoresAsciiCase, rules.isReversed);
    }

    /// Returns the same key, compared as something else.
    ///
    /// @throws IllegalArgumentException if this is a number or a month, and only some of the key's bytes are to count
    public LineKey as(Kind kind) {
        return new LineKey(rules.start, rules.end, kind, rules.bytes, rules.ignoresAsciiCase, rules.isReversed);
    }

    /// Returns the same key with only some of its bytes compared.
    ///
    /// @throws IllegalArgumentException if the key is a number or a month, of which all bytes count
    public LineKey only(Bytes bytes) {
        return new LineKey(rules.start, rules.end, rules.kind, bytes, rules.ignoresAsciiCase, rules.isReversed);
    }

    /// Returns the same key with the letters `a` to `z` counted as `A` to `Z`.
    public LineKey ignoringAsciiCase() {
        return new LineKey(rules.start, rules.end, rules.kind, rules.bytes, true, rules.isReversed);
    }

    /// Returns the same key from last to first.
    public LineKey reversed() {
        return new LineKey(rules.start, rules.end, rules.kind, rules.bytes, rules.ignoresAsciiCase, !rules.isReversed);
    }

    /// Returns the number of the first field, from 1 on.
    public long startField() {
        return rules.start.field;
    }

    /// Returns where the key begins in its first field, from 1 on.
    public long startByte() {
        return rules.start.inField;
    }

    /// Returns the number of the last field; 0 for the end of the line.
    public long endField() {
        return rules.end.field;
    }

    /// Returns how many bytes of the last field belong to the key; 0 for all.
    public long endByte() {
        return rules.end.inField;
    }

    /// Returns whether blanks at the beginning of the first field are not counted for [#startByte].
    public boolean skipsBlanksAtStart() {
        return rules.start.skipsBlanks;
    }

    /// Returns whether blanks at the beginning of the last field are not counted for [#endByte].
    public boolean skipsBlanksAtEnd() {
        return rules.end.skipsBlanks;
    }

    /// Returns what the key is compared as.
    public Kind kind() {
        return rules.kind;
    }

    /// Returns which bytes of the key count.
    public Bytes bytes() {
        return rules.bytes;
    }

    /// Returns whether the letters `a` to `z` count as `A` to `Z`.
    public boolean ignoresAsciiCase() {
        return rules.ignoresAsciiCase;
    }

    /// Returns whether the order runs last to first.
    public boolean isReversed() {
        return rules.isReversed;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LineKey key && rules.equals(key.rules);
    }

    @Override
    public int hashCode() {
        return rules.hashCode();
    }

    @Override
    public String toString() {
        return "LineKey, " + rules;
    }
}
