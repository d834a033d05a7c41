package io.samplesort.testkit;

/// The edge values of each type, as bits.
final class Specials {
    private Specials() {}

    static long[] of(KeyType type) {
        int bits = type.byteSize() * Byte.SIZE;
        return switch (type) {
            case F32 ->
                new long[] {
                    Float.floatToRawIntBits(Float.NaN),
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
