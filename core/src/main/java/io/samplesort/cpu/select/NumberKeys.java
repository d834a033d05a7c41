package io.samplesort.cpu.select;

import io.samplesort.cpu.leaf.RangeKernels;
import io.samplesort.keys.OrderedBits;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Primitive elements as signed integers in the order of a selection. The loops here do as little as they can for each
/// element, and few elements are kept, so that the processor guesses each branch and reads memory at its full rate.
///
/// @param flip    bits to invert: the sign of unsigned integers, and all bits if the order is reversed
/// @param kernels null if the loops of this class do the work
record NumberKeys(MemorySegment elements, Kind kind, long flip, RangeKernels kernels) {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// How a number is read.
    enum Kind {
        BYTE(Byte.SIZE, RangeKernels.Kind.BYTE),
        SHORT(Short.SIZE, RangeKernels.Kind.SHORT),
        INT(Integer.SIZE, RangeKernels.Kind.INT),
        LONG(Long.SIZE, RangeKernels.Kind.LONG),
        FLOAT(Integer.SIZE, RangeKernels.Kind.FLOAT),
        DOUBLE(Long.SIZE, RangeKernels.Kind.DOUBLE);

        private final int bits;
        private final RangeKernels.Kind kernelKind;

        Kind(int bits, RangeKernels.Kind kernelKind) {
            this.bits = bits;
            this.kernelKind = kernelKind;
        }

        long least() {
            return -1L << bits - 1;
        }

        private static Kind of(ElementType type) {
            if (type.equals(ElementType.FLOAT)) {
                return FLOAT;
            }
            if (type.equals(ElementType.DOUBLE)) {
                return DOUBLE;
            }
            return switch (type.byteSize()) {
                case 1 -> BYTE;
                case 2 -> SHORT;
                case 4 -> INT;
                default -> LONG;
            };
        }
    }

    static NumberKeys of(MemorySegment elements, ElementType type, NaturalOrder order) {
        Kind kind = Kind.of(type);
        boolean isUnsigned = order.isUnsigned() || type.equals(ElementType.CHAR);
        long flip = (isUnsigned ? kind.least() : 0) ^ (order.isReversed() ? -1 : 0);
        return new NumberKeys(elements, kind, flip, RangeKernels.of(elements, kind.kernelKind));
    }

    /// Returns the same elements in the opposite order: each key becomes its complement.
    NumberKeys opposite() {
        return new NumberKeys(elements, kind, ~flip, kernels);
    }

    /// Returns the key of the element with this index.
    long key(long index) {
        long key = switch (kind) {
            case BYTE -> elements.get(BYTE, index);
            case SHORT -> elements.get(SHORT, index * Short.BYTES);
            case INT -> elements.get(INT, index * Integer.BYTES);
            case LONG -> elements.get(LONG, index * Long.BYTES);
            case FLOAT -> OrderedBits.ofFloat(elements.get(INT, index * Integer.BYTES));
            case DOUBLE -> OrderedBits.ofDouble(elements.get(LONG, index * Long.BYTES));
        };
        return key ^ flip;
    }

    /// Keeps the places of keys that are not greater than `high`.
    ///
    /// @param base  the index of place 0
    /// @param begin the first place
    /// @param end   the place after the last one
    /// @param count how many places were kept before
    /// @return how many places are kept now
    int keepUpTo(long base, int begin, int end, long high, int[] kept, int count) {
        if (kernels != null) {
            return (int) kernels.keep(base, begin, end, false, 0, high, flip, kept, count);
        }
        return switch (kind) {
            case BYTE -> bytesUpTo(base, begin, end, (int) high, (int) flip, kept, count);
            case SHORT -> shortsUpTo(base * Short.BYTES, begin, end, (int) high, (int) flip, kept, count);
            case INT -> intsUpTo(base * Integer.BYTES, begin, end, (int) high, (int) flip, kept, count);
            case LONG -> longsUpTo(base * Long.BYTES, begin, end, high, flip, kept, count);
            case FLOAT -> floatsUpTo(base * Integer.BYTES, begin, end, (int) high, (int) flip, kept, count);
            case DOUBLE -> doublesUpTo(base * Long.BYTES, begin, end, high, flip, kept, count);
        };
    }

    /// Keeps the places of keys from `low` to `high`, both included, and counts the keys less than `low`.
    ///
    /// @return the number of lesser keys times 2^32, plus how many places are kept now
    long keepBetween(long base, int begin, int end, long low, long high, int[] kept, int count) {
        if (kernels != null) {
            return kernels.keep(base, begin, end, true, low, high, flip, kept, count);
        }
        return switch (kind) {
            case BYTE, SHORT, INT, FLOAT -> wordsBetween(base, begin, end, (int) low, (int) high, kept, count);
            case LONG -> longsBetween(base * Long.BYTES, begin, end, low, high, flip, kept, count);
            case DOUBLE -> doublesBetween(base * Long.BYTES, begin, end, low, high, flip, kept, count);
        };
    }

    private long wordsBetween(long base, int begin, int end, int low, int high, int[] kept, int count) {
        int bits = (int) flip;
        return switch (kind) {
            case BYTE -> bytesBetween(base, begin, end, low, high, bits, kept, count);
            case SHORT -> shortsBetween(base * Short.BYTES, begin, end, low, high, bits, kept, count);
            case INT -> intsBetween(base * Integer.BYTES, begin, end, low, high, bits, kept, count);
            default -> floatsBetween(base * Integer.BYTES, begin, end, low, high, bits, kept, count);
        };
    }

    private int bytesUpTo(long at, int begin, int end, int high, int flip, int[] kept, int before) {
        int count = before;
        for (int i = begin; i < end; i++) {
            if ((elements.get(BYTE, at + i) ^ flip) <= high) {
                kept[count++] = i;
            }
        }
        return count;
    }

    private int shortsUpTo(long at, int begin, int end, int high, int flip, int[] kept, int before) {
        int count = before;
        for (int i = begin; i < end; i++) {
            if ((elements.get(SHORT, at + (long) i * Short.BYTES) ^ flip) <= high) {
                kept[count++] = i;
            }
        }
        return count;
    }

    private int intsUpTo(long at, int begin, int end, int high, int flip, int[] kept, int before) {
        int count = before;
        for (int i = begin; i < end; i++) {
            if ((elements.get(INT, at + (long) i * Integer.BYTES) ^ flip) <= high) {
                kept[count++] = i;
            }
        }
        return count;
    }

    private int longsUpTo(long at, int begin, int end, long high, long flip, int[] kept, int before) {
        int count = before;
        for (int i = begin; i < end; i++) {
            if ((elements.get(LONG, at + (long) i * Long.BYTES) ^ flip) <= high) {
                kept[count++] = i;
            }
        }
        return count;
    }

    private int floatsUpTo(long at, int begin, int end, int high, int flip, int[] kept, int before) {
        int count = before;
        for (int i = begin; i < end; i++) {
            if ((OrderedBits.ofFloat(elements.get(INT, at + (long) i * Integer.BYTES)) ^ flip) <= high) {
                kept[count++] = i;
            }
        }
        return count;
    }

    private int doublesUpTo(long at, int begin, int end, long high, long flip, int[] kept, int before) {
        int count = before;
        for (int i = begin; i < end; i++) {
            if ((OrderedBits.ofDouble(elements.get(LONG, at + (long) i * Long.BYTES)) ^ flip) <= high) {
                kept[count++] = i;
            }
        }
        return count;
    }

    /// A range is tested by one comparison: keys below it wrap around to great distances.
    private static boolean isWithin(int key, int low, int high) {
        return key - low + Integer.MIN_VALUE <= high - low + Integer.MIN_VALUE;
    }

    private static boolean isWithin(long key, long low, long high) {
        return key - low + Long.MIN_VALUE <= high - low + Long.MIN_VALUE;
    }

    /// Returns 1 or 0 without a branch, since in the middle of all ranks no processor can guess it.
    private static long less(int a, int b) {
        return (long) a - b >>> Long.SIZE - 1;
    }

    private static long less(long a, long b) {
        return (a & ~b | (a ^ ~b) & a - b) >>> Long.SIZE - 1;
    }

    private long bytesBetween(long at, int begin, int end, int low, int high, int flip, int[] kept, int before) {
        int count = before;
        long less = 0;
        for (int i = begin; i < end; i++) {
            int key = elements.get(BYTE, at + i) ^ flip;
            less += less(key, low);
            if (isWithin(key, low, high)) {
                kept[count++] = i;
            }
        }
        return less << Integer.SIZE | count;
    }

    private long shortsBetween(long at, int begin, int end, int low, int high, int flip, int[] kept, int before) {
        int count = before;
        long less = 0;
        for (int i = begin; i < end; i++) {
            int key = elements.get(SHORT, at + (long) i * Short.BYTES) ^ flip;
            less += less(key, low);
            if (isWithin(key, low, high)) {
                kept[count++] = i;
            }
        }
        return less << Integer.SIZE | count;
    }

    private long intsBetween(long at, int begin, int end, int low, int high, int flip, int[] kept, int before) {
        int count = before;
        long less = 0;
        for (int i = begin; i < end; i++) {
            int key = elements.get(INT, at + (long) i * Integer.BYTES) ^ flip;
            less += less(key, low);
            if (isWithin(key, low, high)) {
                kept[count++] = i;
            }
        }
        return less << Integer.SIZE | count;
    }

    private long floatsBetween(long at, int begin, int end, int low, int high, int flip, int[] kept, int before) {
        int count = before;
        long less = 0;
        for (int i = begin; i < end; i++) {
            int key = OrderedBits.ofFloat(elements.get(INT, at + (long) i * Integer.BYTES)) ^ flip;
            less += less(key, low);
            if (isWithin(key, low, high)) {
                kept[count++] = i;
            }
        }
        return less << Integer.SIZE | count;
    }

    private long longsBetween(long at, int begin, int end, long low, long high, long flip, int[] kept, int before) {
        int count = before;
        long less = 0;
        for (int i = begin; i < end; i++) {
            long key = elements.get(LONG, at + (long) i * Long.BYTES) ^ flip;
            less += less(key, low);
            if (isWithin(key, low, high)) {
                kept[count++] = i;
            }
        }
        return less << Integer.SIZE | count;
    }

    private long doublesBetween(long at, int begin, int end, long low, long high, long flip, int[] kept, int before) {
        int count = before;
        long less = 0;
        for (int i = begin; i < end; i++) {
            long key = OrderedBits.ofDouble(elements.get(LONG, at + (long) i * Long.BYTES)) ^ flip;
            less += less(key, low);
            if (isWithin(key, low, high)) {
                kept[count++] = i;
            }
        }
        return less << Integer.SIZE | count;
    }
}
