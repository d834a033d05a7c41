package io.samplesort.keys;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Integers in the order of numbers and strings of bytes.
///
/// A floating-point number becomes a signed integer of its size. The mapping is one to one, so every bit of a NaN
/// survives. The order is that of [Double#compare], where -0.0 comes before 0.0; NaNs come last, those without a sign
/// first. Inverting the highest bit makes the integers unsigned. The CUDA twin of this class is `float_order.cuh`.
public final class OrderedBits {
    /// How many NaNs have a sign. Mirrored, they are the lowest integers of all. Subtracting their number makes them
    /// wrap around to the end, and moves the other NaNs before them.
    private static final int NEGATIVE_NANS = 0x007f_ffff;

    private static final long NEGATIVE_DOUBLE_NANS = 0x000f_ffff_ffff_ffffL;

    private OrderedBits() {}

    /// Returns the signed integer for the float that has these bits.
    public static int ofFloat(int bits) {
        return mirrored(bits) - NEGATIVE_NANS;
    }

    /// Returns the bits of the float that [#ofFloat(int)] has turned into `ordered`.
    public static int floatBits(int ordered) {
        return mirrored(ordered + NEGATIVE_NANS);
    }

    /// Returns the signed integer for the double that has these bits.
    public static long ofDouble(long bits) {
        return mirrored(bits) - NEGATIVE_DOUBLE_NANS;
    }

    /// Returns the bits of the double that [#ofDouble(long)] has turned into `ordered`.
    public static long doubleBits(long ordered) {
        return mirrored(ordered + NEGATIVE_DOUBLE_NANS);
    }

    /// Returns the signed integer for a number.
    public static int of(float number) {
        return ofFloat(Float.floatToRawIntBits(number));
    }

    /// Returns the signed integer for a number.
    public static long of(double number) {
        return ofDouble(Double.doubleToRawLongBits(number));
    }

    /// Reverses negative numbers, whose bits run the other way, so that they run like the others.
    private static int mirrored(int bits) {
        return bits ^ (bits >> Integer.SIZE - 1) >>> 1;
    }

    private static long mirrored(long bits) {
        return bits ^ (bits >> Long.SIZE - 1) >>> 1;
    }

    /// Returns which of the lowest `width` bits to invert.
    ///
    /// @param turnsSign  whether signed integers become unsigned, or unsigned ones signed
    /// @param isReversed whether the greatest integer becomes the least
    public static long flip(int width, boolean turnsSign, boolean isReversed) {
        return (turnsSign ? 1L << width - 1 : 0) ^ (isReversed ? -1L >>> Long.SIZE - width : 0);
    }

    /// Returns the bytes from byte `at` on, at most eight, as an unsigned integer. The first byte is the most
    /// significant.
    public static long ofBytes(MemorySegment segment, long at, int count) {
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits = bits << Byte.SIZE | segment.get(ValueLayout.JAVA_BYTE, at + i) & 0xff;
        }
        return bits;
    }
}
