package io.samplesort.testkit;

/// The edge values of each type, as bits.
final class Specials {
    /// This NaN comes after all numbers, as other NaNs do.
    private static final int NEGATIVE_NAN = 0xffc0_0001;

    private static final long NEGATIVE_DOUBLE_NAN = 0xfff8_0000_0000_0001L;

    private Specials() {}

    static long[] of(KeyType type) {
        int bits = type.byteSize() * Byte.SIZE;
        return switch (type) {
            case F32 ->
                new long[] {
                    Float.floatToRawIntBits(Float.NaN),
                    NEGATIVE_NAN,
                    Float.floatToRawIntBits(0f),
                    Float.floatToRawIntBits(-0f),
                    Float.floatToRawIntBits(Float.POSITIVE_INFINITY),
                    Float.floatToRawIntBits(Float.NEGATIVE_INFINITY),
                    Float.floatToRawIntBits(Float.MAX_VALUE),
                    Float.floatToRawIntBits(-Float.MAX_VALUE),
                    Float.floatToRawIntBits(Float.MIN_VALUE)
                };
            case F64 ->
                new long[] {
                    Double.doubleToRawLongBits(Double.NaN),
                    NEGATIVE_DOUBLE_NAN,
                    Double.doubleToRawLongBits(0d),
                    Double.doubleToRawLongBits(-0d),
                    Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
                    Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
                    Double.doubleToRawLongBits(Double.MAX_VALUE),
                    Double.doubleToRawLongBits(-Double.MAX_VALUE),
                    Double.doubleToRawLongBits(Double.MIN_VALUE)
                };
            default -> new long[] {0, 1, -1, 1L << (bits - 1), (1L << (bits - 1)) - 1};
        };
    }
}
