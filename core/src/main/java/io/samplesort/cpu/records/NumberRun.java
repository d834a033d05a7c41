package io.samplesort.cpu.records;

import io.samplesort.keys.OrderedBits;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Looks for the first number that is out of order. Neighbours are compared as integers, without a call for each, which
/// is about as fast as the memory.
final class NumberRun {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment numbers;
    private final ElementType type;
    /// The bits to invert so that the numbers are in the order of signed integers.
    private final long flip;

    NumberRun(MemorySegment numbers, ElementType type, NaturalOrder order) {
        this.numbers = numbers;
        this.type = type;
        boolean turnsSign = order.isUnsigned() || type.equals(ElementType.CHAR);
        long sign = turnsSign ? -1L << type.byteSize() * Byte.SIZE - 1 : 0;
        this.flip = OrderedBits.flip(Long.SIZE, false, order.isReversed()) ^ sign;
    }

    /// Returns the index of the first number after number `from` and up to number `to` that comes before its left
    /// neighbour, or -1 if there is none.
    long firstBroken(long from, long to) {
        return switch (type.byteSize()) {
            case Byte.BYTES -> inBytes(from, to);
            case Short.BYTES -> inShorts(from, to);
            case Integer.BYTES -> type.equals(ElementType.FLOAT) ? inFloats(from, to) : inInts(from, to);
            default -> type.equals(ElementType.DOUBLE) ? inDoubles(from, to) : inLongs(from, to);
        };
    }

    private long inBytes(long from, long to) {
        for (long i = from; i < to; i++) {
            if ((numbers.get(BYTE, i) ^ flip) > (numbers.get(BYTE, i + 1) ^ flip)) {
                return i + 1;
            }
        }
        return -1;
    }

    private long inShorts(long from, long to) {
        for (long i = from; i < to; i++) {
            if ((numbers.get(SHORT, i * Short.BYTES) ^ flip) > (numbers.get(SHORT, (i + 1) * Short.BYTES) ^ flip)) {
                return i + 1;
            }
        }
        return -1;
    }

    private long inInts(long from, long to) {
        int flip = (int) this.flip;
        for (long i = from; i < to; i++) {
            if ((numbers.get(INT, i * Integer.BYTES) ^ flip) > (numbers.get(INT, (i + 1) * Integer.BYTES) ^ flip)) {
                return i + 1;
            }
        }
        return -1;
    }

    private long inFloats(long from, long to) {
        int flip = (int) this.flip;
        for (long i = from; i < to; i++) {
            int left = OrderedBits.ofFloat(numbers.get(INT, i * Integer.BYTES)) ^ flip;
            if (left > (OrderedBits.ofFloat(numbers.get(INT, (i + 1) * Integer.BYTES)) ^ flip)) {
                return i + 1;
            }
        }
        return -1;
    }

    private long inLongs(long from, long to) {
        long flip = this.flip;
        for (long i = from; i < to; i++) {
            if ((numbers.get(LONG, i * Long.BYTES) ^ flip) > (numbers.get(LONG, (i + 1) * Long.BYTES) ^ flip)) {
                return i + 1;
            }
        }
        return -1;
    }

    private long inDoubles(long from, long to) {
        long flip = this.flip;
        for (long i = from; i < to; i++) {
            long left = OrderedBits.ofDouble(numbers.get(LONG, i * Long.BYTES)) ^ flip;
            if (left > (OrderedBits.ofDouble(numbers.get(LONG, (i + 1) * Long.BYTES)) ^ flip)) {
                return i + 1;
            }
        }
        return -1;
    }
}
