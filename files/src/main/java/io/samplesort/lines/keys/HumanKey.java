package io.samplesort.lines.keys;

/// A number with a suffix of the International System of Units, such as `2K`. The sign comes first, then the suffix,
/// whatever the number before it is, and then the number.
final class HumanKey implements LineKeyPart {
    private static final String SUFFIXES = "KMGTPEZYRQ";
    private static final int NONE = 0x40;

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer key) {
        int begin = Fields.skipBlanks(text, from, to);
        key.add(NONE + power(text, begin, to));
        DecimalKey.encodeNumber(text, begin, to, key);
    }

    /// Returns the number of the suffix, negative for a negative number; 0 for none, and for the number 0.
    private static int power(byte[] text, int from, int to) {
        boolean isNegative = from < to && text[from] == '-';
        int begin = isNegative ? from + 1 : from;
        int at = Decimals.skipDigits(text, begin, to);
        boolean isZero = Decimals.skipZeros(text, begin, at) == at;
        if (at < to && text[at] == '.') {
            int fraction = at + 1;
            at = Decimals.skipDigits(text, fraction, to);
            isZero &= Decimals.skipZeros(text, fraction, at) == at;
        }
        if (isZero || at == to) {
            return 0;
        }
        int power = text[at] == 'k' ? 1 : SUFFIXES.indexOf(text[at]) + 1;
        return isNegative ? -power : power;
    }
}
