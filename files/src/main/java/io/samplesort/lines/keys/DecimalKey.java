package io.samplesort.lines.keys;

/// A decimal number of any length after blanks, perhaps with a minus sign and a point; 0 for anything else. Its bytes
/// are the sign with the number of digits before the point, and the digits. Those of a negative number are
/// complemented.
final class DecimalKey implements LineKeyPart {
    /// Numbers with up to this many digits before the point have one byte for sign and length.
    private static final int SHORT = 100;

    private static final int ZERO = 0x80;
    private static final int POSITIVE = 0x81;
    private static final int LONG_POSITIVE = 0xff;

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer key) {
        encodeNumber(text, Fields.skipBlanks(text, from, to), to, key);
    }

    static void encodeNumber(byte[] text, int from, int to, KeyBuffer key) {
        boolean isNegative = from < to && text[from] == '-';
        int begin = Decimals.skipZeros(text, isNegative ? from + 1 : from, to);
        int point = Decimals.skipDigits(text, begin, to);
        int fraction = point;
        int end = point;
        if (point < to && text[point] == '.') {
            fraction = point + 1;
            end = Decimals.withoutZeros(text, fraction, Decimals.skipDigits(text, fraction, to));
        }
        int length = point - begin;
        if (length == 0 && end == fraction) {
            key.add(ZERO);
            return;
        }
        int encoded = key.length();
        if (length <= SHORT) {
            key.add(POSITIVE + length);
        } else {
            key.add(LONG_POSITIVE);
            addInt(length, key);
        }
        Decimals.write(text, begin, point, fraction, end, key);
        if (isNegative) {
            key.complement(encoded);
        }
    }

    /// Adds a number that is not negative.
    static void addInt(int value, KeyBuffer key) {
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            key.add(value >>> shift);
        }
    }
}
