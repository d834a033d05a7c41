package io.samplesort.rows;

import io.samplesort.keys.OrderedBits;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Reads up to eight bytes of a column as bits whose unsigned order is the order of the column. A column of numbers is
/// read as one such piece, and strings of one length as one piece for each eight bytes. One more piece before these
/// says whether rows are null.
final class ColumnBits {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfLong BIG_ENDIAN = LONG.withOrder(ByteOrder.BIG_ENDIAN);

    private final KeyColumn column;
    private final Kind kind;
    /// Where the bytes begin in a value, and how many there are; only for strings.
    private final int offset;

    private final int bytes;
    /// Bits to invert: the sign of signed numbers, and all bits if the column is reversed.
    private final long flip;

    private enum Kind {
        VALIDITY,
        BYTES,
        SHORTS,
        CHARS,
        INTS,
        LONGS,
        FLOATS,
        DOUBLES,
        STRINGS_64,
        STRINGS,
        PREFIXES
    }

    private ColumnBits(KeyColumn column, Kind kind, int offset, int bytes, long flip) {
        this.column = column;
        this.kind = kind;
        this.offset = offset;
        this.bytes = bytes;
        this.flip = flip;
    }

    /// Returns the bits that tell nulls from values.
    static ColumnBits validity(KeyColumn column) {
        return new ColumnBits(column, Kind.VALIDITY, 0, 0, column.isNullsFirst() ? 0 : 1);
    }

    /// Returns the pieces of a column that does not have strings of any length, the most significant first.
    static List<ColumnBits> values(KeyColumn column) {
        ElementType type = column.type();
        List<ColumnBits> pieces = new ArrayList<>();
        if (type == null) {
            for (int at = 0; at < column.valueBytes(); at += Long.BYTES) {
                int bytes = Math.min(Long.BYTES, column.valueBytes() - at);
                Kind kind = bytes == Long.BYTES ? Kind.STRINGS_64 : Kind.STRINGS;
                pieces.add(new ColumnBits(
                        column, kind, at, bytes, OrderedBits.flip(Long.SIZE, false, column.isReversed())));
            }
        } else {
            Kind kind = kind(type);
            // Signed numbers are read with their sign in the highest bit.
            boolean hasSign = !column.isUnsigned() && kind != Kind.CHARS;
            long flip = OrderedBits.flip(Long.SIZE, hasSign, column.isReversed());
            pieces.add(new ColumnBits(column, kind, 0, type.byteSize(), flip));
        }
        return pieces;
    }

    /// Returns the first eight bytes of strings of any length, with zeros after shorter ones. Strings whose bits differ
    /// are in the order of the bits; strings with the same bits may be equal or not.
    static ColumnBits prefixes(KeyColumn column) {
        return new ColumnBits(column, Kind.PREFIXES, 0, Long.BYTES, column.isReversed() ? -1 : 0);
    }

    private static Kind kind(ElementType type) {
        if (type.equals(ElementType.FLOAT)) {
            return Kind.FLOATS;
        }
        if (type.equals(ElementType.DOUBLE)) {
            return Kind.DOUBLES;
        }
        if (type.equals(ElementType.CHAR)) {
            return Kind.CHARS;
        }
        return switch (type.byteSize()) {
            case Byte.BYTES -> Kind.BYTES;
            case Short.BYTES -> Kind.SHORTS;
            case Integer.BYTES -> Kind.INTS;
            default -> Kind.LONGS;
        };
    }

    /// Returns whether a row may be null here, in which case its bits mean nothing.
    boolean mayBeNull() {
        return kind != Kind.VALIDITY && column.hasValidity();
    }

    boolean isNull(long row) {
        return column.isNull(row);
    }

    /// Returns bits that stand for null: no value comes before or after them, whichever end nulls come at.
    long ofNull() {
        return column.isNullsFirst() ? 0 : -1;
    }

    /// Reads the bits of `count` rows.
    ///
    /// @param rows  which rows, from place `from` on; null for the rows `from`, `from + 1` and so on
    /// @param block room for the bits
    void read(int[] rows, int from, int count, RowBlock block) {
        if (rows == null) {
            readInOrder(from, count, block);
        } else {
            readScattered(rows, from, count, block.bits);
        }
    }

    private void readInOrder(int from, int count, RowBlock block) {
        long[] bits = block.bits;
        long mask = column.isUnsigned() ? (bytes == Long.BYTES ? -1 : (1L << bytes * Byte.SIZE) - 1) : -1;
        switch (kind) {
            case INTS -> {
                MemorySegment.copy(column.values(), INT, from * 4L, block.ints, 0, count);
                for (int i = 0; i < count; i++) {
                    bits[i] = block.ints[i] & mask ^ flip;
                }
            }
            case LONGS -> {
                MemorySegment.copy(column.values(), LONG, from * 8L, bits, 0, count);
                for (int i = 0; i < count; i++) {
                    bits[i] ^= flip;
                }
            }
            case FLOATS -> {
                MemorySegment.copy(column.values(), INT, from * 4L, block.ints, 0, count);
                for (int i = 0; i < count; i++) {
                    bits[i] = OrderedBits.ofFloat(block.ints[i]) ^ flip;
                }
            }
            case DOUBLES -> {
                MemorySegment.copy(column.values(), LONG, from * 8L, bits, 0, count);
                for (int i = 0; i < count; i++) {
                    bits[i] = OrderedBits.ofDouble(bits[i]) ^ flip;
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    bits[i] = bits((long) from + i);
                }
            }
        }
    }

    private void readScattered(int[] rows, int from, int count, long[] bits) {
        for (int i = 0; i < count; i++) {
            bits[i] = bits(rows[from + i]);
        }
    }

    /// Returns the bits of one row.
    long bits(long row) {
        return flip
                ^ switch (kind) {
                    case VALIDITY -> column.isNull(row) ? 0 : 1;
                    case BYTES -> extended(column.values().get(BYTE, row));
                    case SHORTS -> extended(column.values().get(SHORT, row * 2));
                    case CHARS -> column.values().get(CHAR, row * 2);
                    case INTS -> extended(column.values().get(INT, row * 4));
                    case LONGS -> column.values().get(LONG, row * 8);
                    case FLOATS -> OrderedBits.ofFloat(column.values().get(INT, row * 4));
                    case DOUBLES -> OrderedBits.ofDouble(column.values().get(LONG, row * 8));
                    case STRINGS_64 -> column.values().get(BIG_ENDIAN, row * column.valueBytes() + offset);
                    case STRINGS -> OrderedBits.ofBytes(column.values(), row * column.valueBytes() + offset, bytes);
                    case PREFIXES -> prefix(column.strings(), row);
                };
    }

    private long extended(long value) {
        return column.isUnsigned() ? value & (1L << bytes * Byte.SIZE) - 1 : value;
    }

    private static long prefix(Strings strings, long row) {
        long start = strings.start(row);
        int bytes = (int) Math.min(Long.BYTES, strings.end(row) - start);
        if (bytes == 0) {
            return 0;
        }
        int missing = (Long.BYTES - bytes) * Byte.SIZE;
        return start + Long.BYTES <= strings.bytes().byteSize()
                ? strings.bytes().get(BIG_ENDIAN, start) >>> missing << missing
                : OrderedBits.ofBytes(strings.bytes(), start, bytes) << missing;
    }
}
