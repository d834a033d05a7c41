package io.samplesort.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// The ten types of keys: signed and unsigned integers of 8 to 64 bits, and floating point.
public enum KeyType {
    I8(ValueLayout.JAVA_BYTE),
    U8(ValueLayout.JAVA_BYTE),
    I16(ValueLayout.JAVA_SHORT),
    U16(ValueLayout.JAVA_SHORT),
    I32(ValueLayout.JAVA_INT),
    U32(ValueLayout.JAVA_INT),
    I64(ValueLayout.JAVA_LONG),
    U64(ValueLayout.JAVA_LONG),
    F32(ValueLayout.JAVA_FLOAT),
    F64(ValueLayout.JAVA_DOUBLE);

    private final ValueLayout layout;

    KeyType(ValueLayout layout) {
        this.layout = layout;
    }

    /// Reads `u64`, `f32` and so on.
    ///
    /// @throws IllegalArgumentException if there is no such type; the message names all
    public static KeyType parse(String text) {
        for (KeyType type : values()) {
            if (type.toString().equals(text)) {
                return type;
            }
        }
        throw new IllegalArgumentException("type '" + text + "': use one of "
                + Arrays.stream(values()).map(KeyType::toString).collect(Collectors.joining(", ")));
    }

    public ValueLayout layout() {
        return layout;
    }

    public int byteSize() {
        return (int) layout.byteSize();
    }

    public boolean isUnsigned() {
        return name().startsWith("U");
    }

    public boolean isFloat() {
        return name().startsWith("F");
    }

    /// Returns how many keys of this type `segment` holds.
    public long count(MemorySegment segment) {
        return segment.byteSize() / byteSize();
    }

    /// Returns the bits of key `index`, as the low bits of a long.
    public long bits(MemorySegment segment, long index) {
        return switch (byteSize()) {
            case 1 -> segment.get(ValueLayout.JAVA_BYTE, index) & 0xffL;
            case 2 -> segment.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, index) & 0xffffL;
            case 4 -> segment.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index) & 0xffffffffL;
            default -> segment.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index);
        };
    }

    /// Sets key `index` to the low bits of `bits`.
    public void setBits(MemorySegment segment, long index, long bits) {
        switch (byteSize()) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
            case 2 -> segment.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, index, (short) bits);
            case 4 -> segment.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index, (int) bits);
            default -> segment.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index, bits);
        }
    }

    /// Compares two keys by their bits. Floating-point numbers have the order of [Double#compare].
    public int compareBits(long a, long b) {
        return switch (this) {
            case I8 -> Byte.compare((byte) a, (byte) b);
            case I16 -> Short.compare((short) a, (short) b);
            case I32 -> Integer.compare((int) a, (int) b);
            case I64 -> Long.compare(a, b);
            case U8, U16, U32, U64 -> Long.compareUnsigned(a, b);
            case F32 -> Float.compare(Float.intBitsToFloat((int) a), Float.intBitsToFloat((int) b));
            case F64 -> Double.compare(Double.longBitsToDouble(a), Double.longBitsToDouble(b));
        };
    }

    /// Returns the bits of the key at a place in the type's range: 0 gives the smallest key, 2^64 - 1 the largest. The
    /// range of floating-point types is [0, 1).
    long scaledBits(long place) {
        if (this == F32) {
            return Float.floatToRawIntBits((place >>> 40) * 0x1p-24f);
        }
        if (this == F64) {
            return Double.doubleToRawLongBits((place >>> 11) * 0x1p-53);
        }
        int bits = byteSize() * Byte.SIZE;
        long scaled = place >>> (Long.SIZE - bits);
        return isUnsigned() ? scaled : scaled ^ (1L << (bits - 1));
    }

    /// Returns the bits of a small number. Integers that are too narrow for it wrap around.
    long valueBits(long value) {
        return switch (this) {
            case F32 -> Float.floatToRawIntBits(value);
            case F64 -> Double.doubleToRawLongBits(value);
            default -> value;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
