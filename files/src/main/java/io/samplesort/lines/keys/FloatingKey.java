package io.samplesort.lines.keys;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A number as C's `strtold` reads it: blanks, a sign, and decimal or hexadecimal digits with a point and an exponent,
/// or `inf` or `nan`. The order is: no number, NaN without and with a minus sign, and all other numbers, where -0 is
/// the same as 0.
///
/// Numbers count as rounded to the 80 bits of the x87, as `strtold` has them on most machines. Two different decimal
/// numbers of up to 18 digits never become the same by that, so these are written as they are. Others are rounded
/// ([ExtendedDouble]), and written as the number of up to 18 digits that is rounded to the same, if there is one.
final class FloatingKey implements LineKeyPart {
    private static final int NO_NUMBER = 0;
    private static final int NAN = 1;
    private static final int NEGATIVE_NAN = 2;
    private static final int NEGATIVE_INFINITY = 3;
    private static final int NEGATIVE = 4;
    private static final int ZERO = 5;
    private static final int POSITIVE = 6;
    private static final int INFINITY = 7;

    /// This many digits decide how any number is rounded; of the following ones it only counts whether all are 0.
    private static final int MOST_DIGITS = 12_000;

    /// Greater exponents mean infinity or 0 anyway.
    private static final int MOST_EXPONENT = 1_000_000;

    private static final int EXPONENT_BIAS = 0x8000;

    private byte[] digits = new byte[64];
    private int count;
    /// The number is 0.DDD times the base to this power.
    private long power;

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer key) {
        int at = from;
        while (at < to && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) {
            at++;
        }
        boolean isNegative = at < to && text[at] == '-';
        if (isNegative || (at < to && text[at] == '+')) {
            at++;
        }
        if (isWord("INF", text, at, to)) {
            key.add(isNegative ? NEGATIVE_INFINITY : INFINITY);
        } else if (isWord("NAN", text, at, to)) {
            key.add(isNegative ? NEGATIVE_NAN : NAN);
        } else if (isHexadecimal(text, at, to)) {
            int end = readDigits(text, at + 2, to, true);
            power *= 4;
            readExponent(text, end, to, 'P');
            writeRounded(isNegative, true, key);
        } else if (isNumber(text, at, to)) {
            int end = readDigits(text, at, to, false);
            readExponent(text, end, to, 'E');
            if (count == 0) {
                key.add(ZERO);
            } else if (count <= ExtendedDouble.SAFE_DIGITS && Math.abs(power) <= ExtendedDouble.SAFE_POWER) {
                write(isNegative, key);
            } else {
                writeRounded(isNegative, false, key);
            }
        } else {
            key.add(NO_NUMBER);
        }
    }

    private static boolean isWord(String capitals, byte[] text, int at, int to) {
        if (to - at < capitals.length()) {
            return false;
        }
        for (int i = 0; i < capitals.length(); i++) {
            if ((text[at + i] & ~('a' - 'A')) != capitals.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNumber(byte[] text, int at, int to) {
        return Decimals.isDigit(text, at, to) || (at < to && text[at] == '.' && Decimals.isDigit(text, at + 1, to));
    }

    private static boolean isHexadecimal(byte[] text, int at, int to) {
        return to - at > 2
                && text[at] == '0'
                && (text[at + 1] == 'x' || text[at + 1] == 'X')
                && (digit(text, at + 2, to, true) >= 0 || (text[at + 2] == '.' && digit(text, at + 3, to, true) >= 0));
    }

    /// Returns the value of a digit, negative if there is none.
    private static int digit(byte[] text, int at, int to, boolean isHexadecimal) {
        if (at >= to) {
            return -1;
        }
        return Character.digit((char) Byte.toUnsignedInt(text[at]), isHexadecimal ? 16 : 10);
    }

    /// Reads digits with a point among them, and leaves out zeros at both ends.
    ///
    /// @return the first place after them
    private int readDigits(byte[] text, int from, int to, boolean isHexadecimal) {
        count = 0;
        power = 0;
        boolean isFraction = false;
        boolean hasMore = false;
        int at = from;
        for (; at < to; at++) {
            if (text[at] == '.' && !isFraction) {
                isFraction = true;
                continue;
            }
            int digit = digit(text, at, to, isHexadecimal);
            if (digit < 0) {
                break;
            }
            if (count == 0 && digit == 0) {
                power -= isFraction ? 1 : 0;
                continue;
            }
            power += isFraction ? 0 : 1;
            if (count < MOST_DIGITS) {
                if (count == digits.length) {
                    digits = Arrays.copyOf(digits, 2 * count);
                }
                digits[count++] = (byte) ('0' + digit);
            } else {
                hasMore |= digit != 0;
            }
        }
        if (hasMore) {
            digits[count - 1] = (byte) Math.max(digits[count - 1], '1');
        }
        count = Decimals.withoutZeros(digits, 0, count);
        return at;
    }

    private void readExponent(byte[] text, int from, int to, char letter) {
        if (from >= to || (text[from] & ~('a' - 'A')) != letter) {
            return;
        }
        int at = from + 1;
        boolean isNegative = at < to && text[at] == '-';
        if (isNegative || (at < to && text[at] == '+')) {
            at++;
        }
        long exponent = 0;
        for (; Decimals.isDigit(text, at, to); at++) {
            exponent = Math.min(MOST_EXPONENT, exponent * 10 + text[at] - '0');
        }
        power = Math.clamp(power + (isNegative ? -exponent : exponent), -MOST_EXPONENT, MOST_EXPONENT);
    }

    private void writeRounded(boolean isNegative, boolean isHexadecimal, KeyBuffer key) {
        if (count == 0) {
            key.add(ZERO);
            return;
        }
        ExtendedDouble rounded = isHexadecimal
                ? ExtendedDouble.ofHexadecimal(digits, count, power)
                : ExtendedDouble.ofDecimal(digits, count, power);
        if (rounded.isZero()) {
            key.add(ZERO);
        } else if (rounded.isInfinite()) {
            key.add(isNegative ? NEGATIVE_INFINITY : INFINITY);
        } else {
            BigDecimal decimal = rounded.toDecimal();
            byte[] written = decimal.unscaledValue().toString().getBytes(StandardCharsets.US_ASCII);
            digits = written.length < digits.length ? digits : new byte[written.length];
            System.arraycopy(written, 0, digits, 0, written.length);
            count = Decimals.withoutZeros(digits, 0, written.length);
            power = (long) written.length - decimal.scale();
            write(isNegative, key);
        }
    }

    private void write(boolean isNegative, KeyBuffer key) {
        key.add(isNegative ? NEGATIVE : POSITIVE);
        int encoded = key.length();
        int biased = (int) power + EXPONENT_BIAS;
        key.add(biased >>> Byte.SIZE);
        key.add(biased);
        Decimals.write(digits, 0, count, 0, 0, key);
        if (isNegative) {
            key.complement(encoded);
        }
    }
}
