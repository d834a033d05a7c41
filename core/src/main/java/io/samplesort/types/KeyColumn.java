package io.samplesort.types;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One column of the keys that rows are sorted by: a value for each row, and how the values compare. Several columns
/// are what a query says after `ORDER BY`.
///
/// Values are numbers, strings of bytes of one length, or strings of bytes of any length. Numbers compare as by
/// [Order#natural]: integers as signed (`char` as unsigned); of floating-point numbers, -0.0 comes before 0.0 and NaNs
/// come last, in the order of their bits. Strings compare as unsigned bytes, first to last, and a string comes before
/// all others that begin with it. A column has no nulls unless [#validity] gives it some. Nulls are equal to each other
/// and come last unless [#nullsFirst] says otherwise. [#reversed] turns a column round, and with it where nulls come.
///
/// A column is a view: it copies nothing and sees what is written to its memory later. It is immutable, and every
/// method that changes something returns a new column.
public final class KeyColumn {
    private final @Nullable MemorySegment values;
    private final @Nullable ElementType type;
    private final int valueBytes;
    private final @Nullable Strings strings;
    private final Rules rules;

    /// @param validity null if no row can be null
    private record Rules(
            boolean isUnsigned,
            boolean isReversed,
            boolean nullsFirst,
            @Nullable MemorySegment validity) {
        static final Rules DEFAULT = new Rules(false, false, false, null);
    }

    private KeyColumn(
            @Nullable MemorySegment values,
            @Nullable ElementType type,
            int valueBytes,
            @Nullable Strings strings,
            Rules rules) {
        this.values = values;
        this.type = type;
        this.valueBytes = valueBytes;
        this.strings = strings;
        this.rules = rules;
    }

    /// Returns a column of numbers in a heap, native or mapped segment, which need not be aligned.
    ///
    /// @throws IllegalArgumentException if the type is a struct, or the size of the segment is no multiple of its size
    public static KeyColumn of(MemorySegment values, ElementType type) {
        Objects.requireNonNull(values, "values");
        if (!type.isPrimitive()) {
            throw new IllegalArgumentException("a key column of type " + type
                    + ": give each field that is compared a column of its own, or sort the structs by Order.by(…)");
        }
        return new KeyColumn(checkSize(values, type.byteSize()), type, type.byteSize(), null, Rules.DEFAULT);
    }

    /// Returns a column of integers of 8 bits.
    public static KeyColumn of(byte[] values) {
        return of(MemorySegment.ofArray(values), ElementType.BYTE);
    }

    /// Returns a column of integers of 16 bits.
    public static KeyColumn of(short[] values) {
        return of(MemorySegment.ofArray(values), ElementType.SHORT);
    }

    /// Returns a column of unsigned integers of 16 bits.
    public static KeyColumn of(char[] values) {
        return of(MemorySegment.ofArray(values), ElementType.CHAR);
    }

    /// Returns a column of integers of 32 bits.
    public static KeyColumn of(int[] values) {
        return of(MemorySegment.ofArray(values), ElementType.INT);
    }

    /// Returns a column of integers of 64 bits.
    public static KeyColumn of(long[] values) {
        return of(MemorySegment.ofArray(values), ElementType.LONG);
    }

    /// Returns a column of floating-point numbers of 32 bits.
    public static KeyColumn of(float[] values) {
        return of(MemorySegment.ofArray(values), ElementType.FLOAT);
    }

    /// Returns a column of floating-point numbers of 64 bits.
    public static KeyColumn of(double[] values) {
        return of(MemorySegment.ofArray(values), ElementType.DOUBLE);
    }

    /// Returns a column of strings of any length.
    public static KeyColumn of(Strings strings) {
        return new KeyColumn(null, null, 0, Objects.requireNonNull(strings, "strings"), Rules.DEFAULT);
    }

    /// Returns a column of strings that all have the same length and lie one after another.
    ///
    /// @param length of each string in bytes
    /// @throws IllegalArgumentException if the length is not positive, or the segment's size is no multiple of it
    public static KeyColumn ofFixedStrings(MemorySegment bytes, int length) {
        Objects.requireNonNull(bytes, "bytes");
        if (length <= 0) {
            throw new IllegalArgumentException("strings of " + length + " bytes: the length must be positive");
        }
        return new KeyColumn(checkSize(bytes, length), null, length, null, Rules.DEFAULT);
    }

    private static MemorySegment checkSize(MemorySegment values, int valueBytes) {
        if (values.byteSize() % valueBytes != 0) {
            throw new IllegalArgumentException("the column has " + values.byteSize()
                    + " bytes, which is no multiple of " + valueBytes + ", the size of a value");
        }
        return values;
    }

    /// Returns this column with its integers compared as unsigned. This changes nothing for strings, whose bytes are
    /// unsigned already.
    ///
    /// @throws IllegalArgumentException if these are floating-point numbers
    public KeyColumn unsigned() {
        if (type != null && (type.equals(ElementType.FLOAT) || type.equals(ElementType.DOUBLE))) {
            throw new IllegalArgumentException("a column of type " + type + " cannot be compared as unsigned");
        }
        return with(new Rules(true, rules.isReversed, rules.nullsFirst, rules.validity));
    }

    /// Returns this column from last to first, and with it where nulls come, as [java.util.Comparator#reversed] does.
    /// Rows whose values are equal keep their order. [#nullsFirst] or [#nullsLast] after it says where nulls come.
    public KeyColumn reversed() {
        return with(new Rules(rules.isUnsigned, !rules.isReversed, !rules.nullsFirst, rules.validity));
    }

    /// Returns this column with nulls before all values, whatever its direction.
    public KeyColumn nullsFirst() {
        return with(new Rules(rules.isUnsigned, rules.isReversed, true, rules.validity));
    }

    /// Returns this column with nulls after all values, whatever its direction. This is the default of a column that is
    /// not reversed.
    public KeyColumn nullsLast() {
        return with(new Rules(rules.isUnsigned, rules.isReversed, false, rules.validity));
    }

    /// Returns this column with nulls where a bit of `bitmap` is 0. What the column holds there does not matter. The
    /// bit of row r is the bit r mod 8 of byte r / 8, counted from the least significant one, as in Arrow.
    ///
    /// @throws IllegalArgumentException if there are fewer bits than rows
    public KeyColumn validity(MemorySegment bitmap) {
        if (bitmap.byteSize() < Math.ceilDiv(count(), Byte.SIZE)) {
            throw new IllegalArgumentException("the validity bitmap has " + bitmap.byteSize() + " bytes: "
                    + Math.ceilDiv(count(), Byte.SIZE) + " are needed for " + count() + " rows");
        }
        return with(new Rules(rules.isUnsigned, rules.isReversed, rules.nullsFirst, bitmap));
    }

    private KeyColumn with(Rules changed) {
        return new KeyColumn(values, type, valueBytes, strings, changed);
    }

    /// Returns how many rows there are.
    public long count() {
        return strings != null ? strings.count() : values().byteSize() / valueBytes;
    }

    /// Returns whether these are strings of any length.
    public boolean hasStrings() {
        return strings != null;
    }

    /// Returns the strings of any length.
    ///
    /// @throws IllegalStateException if the values are something else
    public Strings strings() {
        if (strings == null) {
            throw new IllegalStateException("the values of this column are no strings of any length");
        }
        return strings;
    }

    /// Returns the memory of numbers, or of strings of one length.
    ///
    /// @throws IllegalStateException if these are strings of any length
    public MemorySegment values() {
        if (values == null) {
            throw new IllegalStateException("the values of this column are strings of any length");
        }
        return values;
    }

    /// Returns the bytes that each value has; 0 for strings of any length.
    public int valueBytes() {
        return valueBytes;
    }

    /// Returns the type of numbers; Java's null for strings.
    public @Nullable ElementType type() {
        return type;
    }

    /// Returns whether integers compare as unsigned though their type is signed.
    public boolean isUnsigned() {
        return rules.isUnsigned;
    }

    /// Returns whether values compare from last to first.
    public boolean isReversed() {
        return rules.isReversed;
    }

    /// Returns whether nulls come before all values.
    public boolean isNullsFirst() {
        return rules.nullsFirst;
    }

    /// Returns whether there may be nulls.
    public boolean hasValidity() {
        return rules.validity != null;
    }

    /// Returns the bits that are 0 where a row is null.
    ///
    /// @throws IllegalStateException if there are none
    public MemorySegment validity() {
        if (rules.validity == null) {
            throw new IllegalStateException("this column has no validity bitmap");
        }
        return rules.validity;
    }

    /// Returns whether the value of a row is null.
    public boolean isNull(long row) {
        return rules.validity != null && (rules.validity.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7) & 1) == 0;
    }

    /// Returns a column of other values of the same kind, with the direction, signedness and place of nulls of this
    /// one.
    ///
    /// @param otherValues numbers of the same type, or strings of the same length
    /// @param bitmap      which rows are null, as by [#validity(MemorySegment)]; Java's null for none
    /// @throws IllegalStateException    if the values are strings of any length
    /// @throws IllegalArgumentException if the size of the segment is no multiple of the size of a value, or there are
    ///     fewer bits than rows
    public KeyColumn withValues(MemorySegment otherValues, @Nullable MemorySegment bitmap) {
        values();
        return withBitmap(new KeyColumn(checkSize(otherValues, valueBytes), type, valueBytes, null, rules), bitmap);
    }

    /// Returns a column of other strings of any length, with the direction and place of nulls of this one.
    ///
    /// @param bitmap which rows are null, as by [#validity(MemorySegment)]; Java's null for none
    /// @throws IllegalStateException    if the values are something else
    /// @throws IllegalArgumentException if there are fewer bits than rows
    public KeyColumn withStrings(Strings otherStrings, @Nullable MemorySegment bitmap) {
        strings();
        return withBitmap(new KeyColumn(null, null, 0, otherStrings, rules), bitmap);
    }

    private static KeyColumn withBitmap(KeyColumn column, @Nullable MemorySegment bitmap) {
        Rules rules = column.rules;
        return bitmap != null
                ? column.validity(bitmap)
                : column.with(new Rules(rules.isUnsigned, rules.isReversed, rules.nullsFirst, null));
    }
}
