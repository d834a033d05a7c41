package io.samplesort.cpu.keys;

import io.samplesort.cpu.leaf.SimdRecords;
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
/// @param validity the offset of the byte that is 0 where this part is null, whose bits are zero then; negative if this
///     part is never null
record KeyBits(Kind kind, long offset, int bytes, int width, long flip, long least, long validity) {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfLong BIG_ENDIAN = LONG.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    enum Kind {
        TRUTH,
        INTEGER_8,
        INTEGER_16,
        INTEGER_32,
        INTEGER_64,
        FLOAT,
        DOUBLE,
        /// Eight bytes of a string, which compare first to last.
        STRING_64,
        /// Fewer bytes of a string.
        STRING
    }

    static final int NEVER_NULL = -1;

    /// How many NaNs have a sign. Mirrored they are the lowest values of all, and move past zero to the end.
    private static final int NEGATIVE_NANS = 0x7f_ffff;

    private static final long NEGATIVE_DOUBLE_NANS = 0xf_ffff_ffff_ffffL;

    /// Adds the parts of one primitive value.
    static void addValue(
            ValueLayout layout, long offset, boolean isUnsigned, boolean isReversed, long validity, List<KeyBits> to) {
        Class<?> carrier = layout.carrier();
        int bytes = (int) layout.byteSize();
        Kind kind;
        if (carrier == boolean.class) {
            kind = Kind.TRUTH;
        } else if (carrier == float.class) {
            kind = Kind.FLOAT;
        } else if (carrier == double.class) {
            kind = Kind.DOUBLE;
        } else {
            kind = switch (bytes) {
                case 1 -> Kind.INTEGER_8;
                case 2 -> Kind.INTEGER_16;
                case 4 -> Kind.INTEGER_32;
                default -> Kind.INTEGER_64;
            };
        }
        int width = kind == Kind.TRUTH ? 1 : bytes * Byte.SIZE;
        boolean hasSign = !isUnsigned && carrier != char.class && kind != Kind.TRUTH;
        // The sign bit of floats is inverted as well, after their negative values have been mirrored.
        long flip = (hasSign ? 1L << (width - 1) : 0) ^ (isReversed ? ones(width) : 0);
        to.add(new KeyBits(kind, offset, bytes, width, flip, 0, validity));
    }

    /// Adds the parts of a string of bytes.
    static void addString(ElementType.Field field, boolean isReversed, long validity, List<KeyBits> to) {
        for (int done = 0; done < field.count(); done += Long.BYTES) {
            int bytes = Math.min(Long.BYTES, field.count() - done);
            int width = bytes * Byte.SIZE;
            Kind kind = bytes == Long.BYTES ? Kind.STRING_64 : Kind.STRING;
            to.add(new KeyBits(
                    kind, field.offset() + (long) done, bytes, width, isReversed ? ones(width) : 0, 0, validity));
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

    /// Returns how the kernels read this part; null if they do not.
    SimdRecords.Read read() {
        if (validity >= 0) {
            return null;
        }
        return switch (kind) {
            case INTEGER_32 -> SimdRecords.Read.INT;
            case INTEGER_64 -> SimdRecords.Read.LONG;
            case FLOAT -> SimdRecords.Read.FLOAT;
            case DOUBLE -> SimdRecords.Read.DOUBLE;
            case STRING_64 -> SimdRecords.Read.BYTES;
            default -> null;
        };
    }

    private static long ones(int width) {
        return -1L >>> (Long.SIZE - width);
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
            case FLOAT -> mirrored(Float.floatToRawIntBits(elements.get(FLOAT, at))) - NEGATIVE_NANS & 0xffff_ffffL;
            case DOUBLE -> ordered(Double.doubleToRawLongBits(elements.get(DOUBLE, at)));
            case STRING_64 -> elements.get(BIG_ENDIAN, at);
            case STRING -> bigEndian(elements, at);
        };
    }

    /// Returns bits in the order of the doubles that have the bits `bits`, but for the sign bit, which is inverted.
    static long ordered(long bits) {
        return mirrored(bits) - NEGATIVE_DOUBLE_NANS;
    }

    private static int mirrored(int bits) {
        return bits ^ (bits >> 31) >>> 1;
    }

    private static long mirrored(long bits) {
        return bits ^ (bits >> 63) >>> 1;
    }

    private long bigEndian(MemorySegment elements, long at) {
        long bits = 0;
        for (int i = 0; i < bytes; i++) {
            bits = bits << Byte.SIZE | elements.get(BYTE, at + i) & 0xff;
        }
        return bits;
    }
}
