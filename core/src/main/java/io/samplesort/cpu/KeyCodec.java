package io.samplesort.cpu;

import io.samplesort.ElementType;
import io.samplesort.Order;

/// How keys of one type and order are held while they are sorted: as signed integers of 32 or 64 bits whose order is
/// the
/// order of the keys, so that one implementation for int and one for long serve all of them. A bijection: what is
/// decoded comes back bit for bit, NaNs included.
///
/// `decoded = ((x ^ (signs(x) & floatMask)) - bias) ^ flip`, where `signs` repeats the sign bit. For floating point the
/// mask turns the magnitudes of negative numbers around, and the bias moves the NaNs with a sign from below -∞ to the
/// top
/// of the range, where [Double#compare] wants all NaNs.
///
/// @param floatMask all bits but the sign for floating point, else 0
/// @param bias      how many NaNs have a sign, for floating point, else 0
/// @param flip      the sign bit for unsigned orders, all bits inverted for reversed ones
record KeyCodec(long floatMask, long bias, long flip) {
    /// Moves bits as they are, for payloads.
    static final KeyCodec RAW = new KeyCodec(0, 0, 0);

    static KeyCodec of(ElementType type, Order order) {
        if (!(order instanceof Order.BuiltIn builtIn)) {
            throw new IllegalArgumentException("the CPU engine does not know the order " + order);
        }
        long reversal = builtIn.isReversed() ? -1 : 0;
        if (type == ElementType.FLOAT) {
            return new KeyCodec(Integer.MAX_VALUE, 0x7fffff, reversal);
        }
        if (type == ElementType.DOUBLE) {
            return new KeyCodec(Long.MAX_VALUE, 0xfffffffffffffL, reversal);
        }
        long sign = type.byteSize() == Long.BYTES ? Long.MIN_VALUE : Integer.MIN_VALUE;
        // Narrow unsigned keys are widened with zeros, which makes them right already.
        boolean flipsSign = builtIn.isUnsigned() && type.byteSize() >= Integer.BYTES;
        return new KeyCodec(0, 0, (flipsSign ? sign : 0) ^ reversal);
    }

    void decode(int[] keys, int count) {
        int mask = (int) floatMask;
        int shift = (int) bias;
        int xor = (int) flip;
        for (int i = 0; i < count; i++) {
            int x = keys[i];
            keys[i] = ((x ^ ((x >> 31) & mask)) - shift) ^ xor;
        }
    }

    void encode(int[] keys, int from, int to) {
        int mask = (int) floatMask;
        int shift = (int) bias;
        int xor = (int) flip;
        for (int i = from; i < to; i++) {
            int x = (keys[i] ^ xor) + shift;
            keys[i] = x ^ ((x >> 31) & mask);
        }
    }

    void decode(long[] keys, int count) {
        for (int i = 0; i < count; i++) {
            long x = keys[i];
            keys[i] = ((x ^ ((x >> 63) & floatMask)) - bias) ^ flip;
        }
    }

    void encode(long[] keys, int from, int to) {
        for (int i = from; i < to; i++) {
            long x = (keys[i] ^ flip) + bias;
            keys[i] = x ^ ((x >> 63) & floatMask);
        }
    }

    boolean isIdentity() {
        return floatMask == 0 && flip == 0;
    }
}
