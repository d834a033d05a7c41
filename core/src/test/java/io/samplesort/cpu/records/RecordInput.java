package io.samplesort.cpu.records;

import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;

/// Fills elements of any type, every byte of them, padding included.
public enum RecordInput {
    /// Any bits.
    RANDOM,
    /// Small numbers, negative ones among them, and strings with long common beginnings.
    FEW_DISTINCT,
    /// Zeros of both signs, NaNs of several bits, infinities, the least and the greatest.
    SPECIAL,
    /// All fields equal, but for floating point: NaNs of a few different bits there.
    EQUAL;

    private static final long[] DOUBLES = {
        0L,
        Long.MIN_VALUE,
        0x7ff8_0000_0000_0000L,
        0x7ff8_0000_0000_0001L,
        0xfff8_0000_0000_0000L,
        0x7ff0_0000_0000_0000L,
        0xfff0_0000_0000_0000L,
        0x3ff0_0000_0000_0000L,
        0xbff0_0000_0000_0000L,
        1L
    };
    private static final int[] FLOATS = {
        0,
        Integer.MIN_VALUE,
        0x7fc0_0000,
        0x7fc0_0001,
        0xffc0_0000,
        0x7f80_0000,
        0xff80_0000,
        0x3f80_0000,
        0xbf80_0000,
        1
    };
    private static final long[] INTEGERS = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0x7fff_ffffL, 0x8000_0000L, 0x80};

    public void fill(MemorySegment elements, ElementType type, SplittableRandom random) {
        for (long i = 0; i < elements.byteSize(); i++) {
            elements.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        if (this == RANDOM) {
            return;
        }
        List<ElementType.Field> fields = type.isPrimitive()
                ? List.of(new ElementType.Field("value", 0, (ValueLayout) type.layout(), 1))
                : type.fields();
        for (long at = 0; at < elements.byteSize(); at += type.byteSize()) {
            for (ElementType.Field field : fields) {
                MemorySegment value = elements.asSlice(at + field.offset(), field.byteSize());
                if (field.count() > 1) {
                    fillString(value, random);
                } else {
                    fillValue(value, field.layout().carrier(), random);
                    if (field.isBigEndian()) {
                        reverse(value);
                    }
                }
            }
        }
    }

    private void fillString(MemorySegment string, SplittableRandom random) {
        string.fill((byte) (this == SPECIAL && random.nextBoolean() ? 0x7f : 0x80));
        if (this != EQUAL) {
            long last = string.byteSize() - 1;
            string.set(ValueLayout.JAVA_BYTE, last, (byte) random.nextInt(4));
            string.set(ValueLayout.JAVA_BYTE, random.nextLong(last + 1), (byte) (0x7f + random.nextInt(2)));
        }
    }

    private static void reverse(MemorySegment bytes) {
        byte[] before = bytes.toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < before.length; i++) {
            bytes.set(ValueLayout.JAVA_BYTE, i, before[before.length - 1 - i]);
        }
    }

    private void fillValue(MemorySegment value, Class<?> carrier, SplittableRandom random) {
        if (carrier == double.class) {
            value.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, doubleBits(random));
        } else if (carrier == float.class) {
            value.set(ValueLayout.JAVA_INT_UNALIGNED, 0, floatBits(random));
        } else {
            long bits = this == EQUAL
                    ? 1
                    : this == SPECIAL ? INTEGERS[random.nextInt(INTEGERS.length)] : random.nextInt(-2, 6);
            for (long i = 0; i < value.byteSize(); i++) {
                value.set(ValueLayout.JAVA_BYTE, i, (byte) (bits >> (i * Byte.SIZE)));
            }
        }
    }

    private long doubleBits(SplittableRandom random) {
        return this == EQUAL
                ? DOUBLES[2 + random.nextInt(3)]
                : this == SPECIAL
                        ? DOUBLES[random.nextInt(DOUBLES.length)]
                        : Double.doubleToRawLongBits(random.nextInt(-2, 3) / 2.0);
    }

    private int floatBits(SplittableRandom random) {
        return this == EQUAL
                ? FLOATS[2 + random.nextInt(3)]
                : this == SPECIAL
                        ? FLOATS[random.nextInt(FLOATS.length)]
                        : Float.floatToRawIntBits(random.nextInt(-2, 3) / 2.0f);
    }
}
