package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.keys.OrderedBits;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// A part of an element's sort key: up to eight bytes, read as bits whose unsigned order is the order of the sort. A
/// sort key is a list of parts; the first parts that differ decide how two elements compare.
///
/// @param kind     how the bits are read
/// @param offset   where the bytes begin in an element
/// @param bytes    how many bytes there are
/// @param width    how many bits the part has; those above are zero
/// @param flip     bits to invert: the sign of signed integers, and all bits if the order is reversed
/// @param least    the value that is subtracted after that
/// @param validity the offset of the byte that is 0 if this part is null, in which case its bits are zero; negative if
///     this part is never null
record KeyBits(Kind kind, long offset, int bytes, int width, long flip, long least, long validity) {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt BIG_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong BIG_LONG = LONG.withOrder(ByteOrder.BIG_ENDIAN);

    enum Kind {
        TRUTH,
        INTEGER_8,
        INTEGER_16,
        INTEGER_32,
        INTEGER_64,
        FLOAT,
        DOUBLE,
        BIG_ENDIAN_FLOAT,
        BIG_ENDIAN_DOUBLE,
        /// Eight bytes that compare first to last: those of a string or of a big-endian integer.
        BYTES_64,
        /// Four such bytes.
        BYTES_32,
        /// Fewer than eight such bytes.
        BYTES
    }

    static final int NEVER_NULL = -1;

    /// Adds the parts of one primitive value.
    static void addValue(
            ValueLayout layout, long offset, boolean isUnsigned, boolean isReversed, long validity, List<KeyBits> to) {
        Class<?> carrier = layout.carrier();
        int bytes = (int) layout.byteSize();
        boolean isBigEndian = layout.order() == ByteOrder.BIG_ENDIAN;
        Kind kind;
        if (carrier == boolean.class) {
            kind = Kind.TRUTH;
        } else if (carrier == float.class) {
            kind = isBigEndian ? Kind.BIG_ENDIAN_FLOAT : Kind.FLOAT;
        } else if (carrier == double.class) {
            kind = isBigEndian ? Kind.BIG_ENDIAN_DOUBLE : Kind.DOUBLE;
        } else {
            kind = switch (bytes) {
                case 1 -> Kind.INTEGER_8;
                case 2 -> isBigEndian ? Kind.BYTES : Kind.INTEGER_16;
                case 4 -> isBigEndian ? Kind.BYTES_32 : Kind.INTEGER_32;
                default -> isBigEndian ? Kind.BYTES_64 : Kind.INTEGER_64;
            };
        }
        int width = kind == Kind.TRUTH ? 1 : bytes * Byte.SIZE;
        boolean hasSign = !isUnsigned && carrier != char.class && kind != Kind.TRUTH;
        // Floating-point numbers are read as signed integers.
        to.add(new KeyBits(kind, offset, bytes, width, OrderedBits.flip(width, hasSign, isReversed), 0, validity));
    }

    /// Adds the parts of a string of bytes.
    static void addString(ElementType.Field field, boolean isReversed, long validity, List<KeyBits> to) {
        for (int done = 0; done < field.count(); done += Long.BYTES) {
            int bytes = Math.min(Long.BYTES, field.count() - done);
            int width = bytes * Byte.SIZE;
            Kind kind = bytes == Long.BYTES ? Kind.BYTES_64 : Kind.BYTES;
            long flip = OrderedBits.flip(width, false, isReversed);
            to.add(new KeyBits(kind, field.offset() + (long) done, bytes, width, flip, 0, validity));
        }
    }

    /// Adds the part that tells nulls from values.
    static void addValidity(long offset, boolean nullsFirst, List<KeyBits> to) {
        to.add(new KeyBits(Kind.TRUTH, offset, 1, 1, nullsFirst ? 0 : 1, 0, NEVER_NULL));
    }

    /// Returns the same part, with fewer bits, for elements whose bits lie from `least` to `greatest`.
    ///
    /// @param least 0 if there are nulls
    KeyBits narrowed(long least, long greatest) {
        int needed = Long.SIZE - Long.numberOfLeadingZeros(greatest - least);
        return new KeyBits(kind, offset, bytes, needed, flip, this.least + least, validity);
    }

    /// Returns how the kernels read this part; null if they cannot.
    SimdRecords.Read read() {
        if (validity >= 0) {
            return null;
        }
        return switch (kind) {
            case INTEGER_32 -> SimdRecords.Read.INT;
            case INTEGER_64 -> SimdRecords.Read.LONG;
            case FLOAT -> SimdRecords.Read.FLOAT;
            case DOUBLE -> SimdRecords.Read.DOUBLE;
            case BYTES_64 -> SimdRecords.Read.BYTES;
            default -> null;
        };
    }

    /// Returns the bits of this part of the element at byte `element`.
    long bits(MemorySegment elements, long element) {
        if (validity >= 0 && elements.get(BYTE, element + validity) == 0) {
            return 0;
        }
        return (flip ^ rawBits(elements, element + offset)) - least;
    }

    private long rawBits(MemorySegment elements, long at) {
        return switch (kind) {
            case TRUTH -> elements.get(BYTE, at) == 0 ? 0 : 1;
            case INTEGER_8 -> elements.get(BYTE, at) & 0xffL;
            case INTEGER_16 -> elements.get(SHORT, at) & 0xffffL;
            case INTEGER_32 -> elements.get(INT, at) & 0xffff_ffffL;
            case INTEGER_64 -> elements.get(LONG, at);
            case FLOAT -> OrderedBits.ofFloat(elements.get(INT, at)) & 0xffff_ffffL;
            case DOUBLE -> OrderedBits.ofDouble(elements.get(LONG, at));
            case BIG_ENDIAN_FLOAT -> OrderedBits.ofFloat(elements.get(BIG_INT, at)) & 0xffff_ffffL;
            case BIG_ENDIAN_DOUBLE -> OrderedBits.ofDouble(elements.get(BIG_LONG, at));
            case BYTES_64 -> elements.get(BIG_LONG, at);
            case BYTES_32 -> elements.get(BIG_INT, at) & 0xffff_ffffL;
            case BYTES -> OrderedBits.ofBytes(elements, at, bytes);
        };
    }
}
