package io.samplesort.lines.keys;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/// A positive number rounded to the x87's extended precision: 64 bits, with exponents of 15 bits. Halfway cases go to
/// the even number.
///
/// @param mantissa at most 2^64; 0 for numbers that are too small
/// @param exponent the number is the mantissa times 2 to this power; [#TOO_LARGE] for infinity
record ExtendedDouble(BigInteger mantissa, int exponent) {
    /// Different decimal numbers of at most this many digits, and of a magnitude up to [#SAFE_POWER], stay different
    /// when they are rounded.
    static final int SAFE_DIGITS = 18;

    static final int SAFE_POWER = 4900;

    /// This many decimal digits tell any two numbers of 64 bits apart.
    private static final int TELLING_DIGITS = 25;

    private static final int TOO_LARGE = Integer.MAX_VALUE;
    private static final int MANTISSA_BITS = 64;
    private static final int LEAST_EXPONENT = -16445;
    private static final int MOST_BITS = 16384;

    /// Decimal numbers beyond these powers are infinite or 0.
    private static final int MOST_POWER = 5000;

    /// @param digits as ASCII, the first of them not 0
    /// @param power  the number is 0.DDD times 10 to this power
    static ExtendedDouble ofDecimal(byte[] digits, int count, long power) {
        if (Math.abs(power) > MOST_POWER) {
            return beyond(power > 0);
        }
        BigInteger whole = new BigInteger(new String(digits, 0, count, StandardCharsets.US_ASCII));
        int tens = (int) power - count;
        return tens >= 0
                ? of(whole.multiply(BigInteger.TEN.pow(tens)), BigInteger.ONE)
                : of(whole, BigInteger.TEN.pow(-tens));
    }

    /// @param digits as `'0'` plus the value of each, the first of them not 0
    /// @param power  the number is 0.DDD (hexadecimal) times 2 to this power
    static ExtendedDouble ofHexadecimal(byte[] digits, int count, long power) {
        if (Math.abs(power) > 2 * MOST_BITS) {
            return beyond(power > 0);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(Character.forDigit(digits[i] - '0', 16));
        }
        BigInteger whole = new BigInteger(text.toString(), 16);
        int twos = (int) power - 4 * count;
        return twos >= 0 ? of(whole.shiftLeft(twos), BigInteger.ONE) : of(whole, BigInteger.ONE.shiftLeft(-twos));
    }

    private static ExtendedDouble beyond(boolean isLarge) {
        return new ExtendedDouble(isLarge ? BigInteger.ONE : BigInteger.ZERO, isLarge ? TOO_LARGE : 0);
    }

    private static ExtendedDouble of(BigInteger numerator, BigInteger denominator) {
        // The number is at least 2 to this power, and less than 4 times that.
        int magnitude = numerator.bitLength() - denominator.bitLength() - 1;
        int exponent = Math.max(magnitude - MANTISSA_BITS + 1, LEAST_EXPONENT);
        BigInteger mantissa = quotient(numerator, denominator, exponent);
        if (mantissa.bitLength() > MANTISSA_BITS && !isPowerOfTwo(mantissa)) {
            exponent++;
            mantissa = quotient(numerator, denominator, exponent);
        }
        return mantissa.bitLength() + (long) exponent > MOST_BITS
                ? beyond(true)
                : new ExtendedDouble(mantissa, mantissa.signum() == 0 ? 0 : exponent);
    }

    private static boolean isPowerOfTwo(BigInteger number) {
        return number.bitCount() == 1;
    }

    /// Divides by the denominator and by 2 to the power of the exponent, and rounds.
    private static BigInteger quotient(BigInteger numerator, BigInteger denominator, int exponent) {
        BigInteger scaled = exponent < 0 ? numerator.shiftLeft(-exponent) : numerator;
        BigInteger divisor = exponent > 0 ? denominator.shiftLeft(exponent) : denominator;
        BigInteger[] parts = scaled.divideAndRemainder(divisor);
        int half = parts[1].shiftLeft(1).compareTo(divisor);
        boolean isUp = half > 0 || (half == 0 && parts[0].testBit(0));
        return isUp ? parts[0].add(BigInteger.ONE) : parts[0];
    }

    boolean isZero() {
        return mantissa.signum() == 0;
    }

    boolean isInfinite() {
        return exponent == TOO_LARGE;
    }

    /// Returns the decimal number that stands for all that are rounded to this one: one of few digits if there is one
    /// that is rounded to this, else this number with enough digits that all others differ.
    BigDecimal toDecimal() {
        BigDecimal exact = exponent >= 0
                ? new BigDecimal(mantissa.shiftLeft(exponent))
                : new BigDecimal(mantissa.multiply(BigInteger.valueOf(5).pow(-exponent)), -exponent);
        BigDecimal few = exact.round(new MathContext(SAFE_DIGITS, RoundingMode.HALF_EVEN));
        int power = few.precision() - few.scale();
        BigDecimal telling = exact.round(new MathContext(TELLING_DIGITS, RoundingMode.HALF_EVEN));
        if (Math.abs(power) > SAFE_POWER) {
            return telling;
        }
        byte[] digits = few.unscaledValue().toString().getBytes(StandardCharsets.US_ASCII);
        ExtendedDouble again = ofDecimal(digits, digits.length, power);
        return again.isSame(this) ? few : telling;
    }

    private boolean isSame(ExtendedDouble other) {
        int shift = exponent - other.exponent;
        return shift >= 0
                ? mantissa.shiftLeft(shift).equals(other.mantissa)
                : other.mantissa.shiftLeft(-shift).equals(mantissa);
    }
}
