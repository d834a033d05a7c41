package io.samplesort.spark.blocks;

import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;

/// The primitive types that blocks hold. Each maps its keys to longs in the same order, so that nothing else has to be
/// written once for each type.
enum Primitive {
    INT(ElementType.INT, "int[]") {
        @Override
        Object allocate(int count) {
            return new int[count];
        }

        @Override
        MemorySegment segment(Object array) {
            return MemorySegment.ofArray((int[]) array);
        }

        @Override
        long place(Object array, int index, boolean isUnsigned) {
            int key = ((int[]) array)[index];
            return isUnsigned ? Integer.toUnsignedLong(key) : key;
        }
    },
    LONG(ElementType.LONG, "long[]") {
        @Override
        Object allocate(int count) {
            return new long[count];
        }

        @Override
        MemorySegment segment(Object array) {
            return MemorySegment.ofArray((long[]) array);
        }

        @Override
        long place(Object array, int index, boolean isUnsigned) {
            long key = ((long[]) array)[index];
            return isUnsigned ? key ^ Long.MIN_VALUE : key;
        }
    },
    FLOAT(ElementType.FLOAT, "float[]") {
        @Override
        Object allocate(int count) {
            return new float[count];
        }

        @Override
        MemorySegment segment(Object array) {
            return MemorySegment.ofArray((float[]) array);
        }

        @Override
        long place(Object array, int index, boolean isUnsigned) {
            int bits = Float.floatToRawIntBits(((float[]) array)[index]);
            int place = (bits ^ ((bits >> 31) & Integer.MAX_VALUE)) - FLOAT_NANS;
            return place;
        }
    },
    DOUBLE(ElementType.DOUBLE, "double[]") {
        @Override
        Object allocate(int count) {
            return new double[count];
        }

        @Override
        MemorySegment segment(Object array) {
            return MemorySegment.ofArray((double[]) array);
        }

        @Override
        long place(Object array, int index, boolean isUnsigned) {
            long bits = Double.doubleToRawLongBits(((double[]) array)[index]);
            return (bits ^ ((bits >> 63) & Long.MAX_VALUE)) - DOUBLE_NANS;
        }
    };

    /// With the bits of negative numbers inverted, floating-point numbers compare as integers, except that NaNs with a
    /// sign come first. Subtracting their number makes them wrap around to the end, where they belong in the library's
    /// order.
    private static final int FLOAT_NANS = (1 << 23) - 1;

    private static final long DOUBLE_NANS = (1L << 52) - 1;

    private final ElementType type;
    private final String arrayName;

    Primitive(ElementType type, String arrayName) {
        this.type = type;
        this.arrayName = arrayName;
    }

    ElementType type() {
        return type;
    }

    boolean isInteger() {
        return this == INT || this == LONG;
    }

    abstract Object allocate(int count);

    abstract MemorySegment segment(Object array);

    /// Returns a long for the key at this index: keys compare as their longs do.
    abstract long place(Object array, int index, boolean isUnsigned);

    @Override
    public String toString() {
        return arrayName;
    }
}
