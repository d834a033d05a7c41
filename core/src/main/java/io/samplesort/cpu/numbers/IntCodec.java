package io.samplesort.cpu.numbers;

import io.samplesort.keys.OrderedBits;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Reads a column of elements of 1, 2 or 4 bytes as ints whose signed order is the order of the sort, and writes it
/// back. The mapping is one to one, so every bit of a NaN survives.
///
/// A codec is not for use by two threads at once, since narrow types pass through a buffer.
public final class IntCodec {
    private static final int STAGE_SIZE = 1024;

    private final Elements.Column column;
    private final ElementType type;
    private final boolean isFloat;
    /// Bits to invert: inverting the sign bit makes unsigned order signed, and inverting all bits reverses an order.
    private final int mask;

    private final byte[] bytes;
    private final short[] shorts;
    private final char[] chars;

    private IntCodec(Elements.Column column, ElementType type, boolean isFloat, int mask) {
        this.column = column;
        this.type = type;
        this.isFloat = isFloat;
        this.mask = mask;
        this.bytes = type.equals(ElementType.BYTE) ? new byte[STAGE_SIZE] : null;
        this.shorts = type.equals(ElementType.SHORT) ? new short[STAGE_SIZE] : null;
        this.chars = type.equals(ElementType.CHAR) ? new char[STAGE_SIZE] : null;
    }

    /// Returns the codec for keys of `type`, of at most 4 bytes.
    public static IntCodec forKeys(ElementType type, NaturalOrder order) {
        int unsignedMask = 0;
        if (order.isUnsigned() && !type.equals(ElementType.CHAR)) {
            unsignedMask = 1 << (8 * type.byteSize() - 1);
            // Narrow values are sign-extended, so copies of their sign bit are above it.
            unsignedMask = -unsignedMask;
        }
        return new IntCodec(
                Elements.Column.KEYS,
                type,
                type.equals(ElementType.FLOAT),
                unsignedMask ^ (order.isReversed() ? -1 : 0));
    }

    /// Returns the codec that carries payload of `byteSize` bytes, at most 4, unchanged.
    static IntCodec forPayload(int byteSize) {
        ElementType type = switch (byteSize) {
            case 1 -> ElementType.BYTE;
            case 2 -> ElementType.SHORT;
            default -> ElementType.INT;
        };
        return new IntCodec(Elements.Column.PAYLOAD, type, false, 0);
    }

    /// Returns whether decoded keys are the same as the keys.
    boolean isIdentity() {
        return type.equals(ElementType.INT) && mask == 0;
    }

    void load(Elements source, long from, int[] target, int at, int count) {
        MemorySegment segment = source.column(column);
        switch (type.byteSize()) {
            case 1 -> loadBytes(segment, from, target, at, count);
            case 2 -> loadShorts(segment, from, target, at, count);
            default ->
                MemorySegment.copy(segment, ValueLayout.JAVA_INT_UNALIGNED, from * Integer.BYTES, target, at, count);
        }
        if (isFloat) {
            for (int i = at; i < at + count; i++) {
                target[i] = OrderedBits.ofFloat(target[i]) ^ mask;
            }
        } else if (mask != 0) {
            invert(target, at, count);
        }
    }

    /// Writes `count` ints. Afterwards `source` may be decoded or encoded.
    void store(int[] source, int at, Elements target, long to, int count) {
        if (isFloat) {
            for (int i = at; i < at + count; i++) {
                source[i] = OrderedBits.floatBits(source[i] ^ mask);
            }
        } else if (mask != 0) {
            invert(source, at, count);
        }
        MemorySegment segment = target.column(column);
        switch (type.byteSize()) {
            case 1 -> storeBytes(source, at, segment, to, count);
            case 2 -> storeShorts(source, at, segment, to, count);
            default ->
                MemorySegment.copy(source, at, segment, ValueLayout.JAVA_INT_UNALIGNED, to * Integer.BYTES, count);
        }
    }

    private void invert(int[] values, int at, int count) {
        for (int i = at; i < at + count; i++) {
            values[i] ^= mask;
        }
    }

    private void loadBytes(MemorySegment segment, long from, int[] target, int at, int count) {
        for (int done = 0; done < count; done += STAGE_SIZE) {
            int size = Math.min(STAGE_SIZE, count - done);
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, from + done, bytes, 0, size);
            for (int i = 0; i < size; i++) {
                target[at + done + i] = bytes[i];
            }
        }
    }

    private void storeBytes(int[] source, int at, MemorySegment segment, long to, int count) {
        for (int done = 0; done < count; done += STAGE_SIZE) {
            int size = Math.min(STAGE_SIZE, count - done);
            for (int i = 0; i < size; i++) {
                bytes[i] = (byte) source[at + done + i];
            }
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, to + done, size);
        }
    }

    private void loadShorts(MemorySegment segment, long from, int[] target, int at, int count) {
        for (int done = 0; done < count; done += STAGE_SIZE) {
            int size = Math.min(STAGE_SIZE, count - done);
            long offset = (from + done) * Short.BYTES;
            if (chars != null) {
                MemorySegment.copy(segment, ValueLayout.JAVA_CHAR_UNALIGNED, offset, chars, 0, size);
                for (int i = 0; i < size; i++) {
                    target[at + done + i] = chars[i];
                }
            } else {
                MemorySegment.copy(segment, ValueLayout.JAVA_SHORT_UNALIGNED, offset, shorts, 0, size);
                for (int i = 0; i < size; i++) {
                    target[at + done + i] = shorts[i];
                }
            }
        }
    }

    private void storeShorts(int[] source, int at, MemorySegment segment, long to, int count) {
        for (int done = 0; done < count; done += STAGE_SIZE) {
            int size = Math.min(STAGE_SIZE, count - done);
            long offset = (to + done) * Short.BYTES;
            if (chars != null) {
                for (int i = 0; i < size; i++) {
                    chars[i] = (char) source[at + done + i];
                }
                MemorySegment.copy(chars, 0, segment, ValueLayout.JAVA_CHAR_UNALIGNED, offset, size);
            } else {
                for (int i = 0; i < size; i++) {
                    shorts[i] = (short) source[at + done + i];
                }
                MemorySegment.copy(shorts, 0, segment, ValueLayout.JAVA_SHORT_UNALIGNED, offset, size);
            }
        }
    }
}
