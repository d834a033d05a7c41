package io.samplesort.lines.keys;

/// A name with numbers in it, in the order in which GNU's programs list versions of files: letters come before other
/// bytes, a tilde comes before everything, even the end, and digits count as numbers. Suffixes such as `.tar.gz` are
/// compared only where the names before them are equal.
///
/// A name is written as pairs of text without digits and a number, where both may be empty: the end of a name counts as
/// the number 0. Text without digits is written byte by byte with [#RUN_END] after it. A 0 has a byte that says what
/// follows it, since that decides between two zeros.
final class VersionKey implements LineKeyPart {
    private static final int EMPTY = 0;
    private static final int DOT = 1;
    private static final int TWO_DOTS = 2;
    private static final int HIDDEN = 3;
    private static final int OTHER = 4;

    private static final int TILDE = 1;
    private static final int RUN_END = 2;
    private static final int FIRST_LETTER = 3;

    private static final int ZERO_BEFORE_TILDE = 0;
    private static final int ZERO_AT_END = 1;
    private static final int ZERO_BEFORE_OTHERS = 2;

    /// Numbers of up to this many digits have one byte for their length.
    private static final int SHORT = 200;

    private static final int LONG = 0xff;

    private static final byte[] CODES = codes();

    /// Returns the place of each byte in the order: the tilde, letters, all others. Digits have none.
    private static byte[] codes() {
        byte[] codes = new byte[256];
        int next = FIRST_LETTER;
        for (int value = 0; value < codes.length; value++) {
            if (isLetter((byte) value)) {
                codes[value] = (byte) next++;
            }
        }
        for (int value = 0; value < codes.length; value++) {
            if (!isLetter((byte) value) && value != '~' && (value < '0' || value > '9')) {
                codes[value] = (byte) next++;
            }
        }
        codes['~'] = TILDE;
        return codes;
    }

    private static boolean isLetter(byte value) {
        return (value >= 'A' && value <= 'Z') || (value >= 'a' && value <= 'z');
    }

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer key) {
        int kind = kind(text, from, to);
        key.add(kind);
        if (kind >= HIDDEN) {
            encodeName(text, from, prefixEnd(text, from, to), key);
            encodeName(text, from, to, key);
        }
    }

    private static int kind(byte[] text, int from, int to) {
        if (from == to) {
            return EMPTY;
        }
        if (text[from] != '.') {
            return OTHER;
        }
        if (to - from == 1) {
            return DOT;
        }
        return to - from == 2 && text[from + 1] == '.' ? TWO_DOTS : HIDDEN;
    }

    /// Returns where the suffixes begin: as many as there are at the end, each a dot, a letter or tilde, and letters,
    /// digits and tildes. They are never the whole name.
    private static int prefixEnd(byte[] text, int from, int to) {
        int end = from;
        int at = from;
        while (at < to) {
            at++;
            end = at;
            while (at + 1 < to && text[at] == '.' && (isLetter(text[at + 1]) || text[at + 1] == '~')) {
                at += 2;
                while (at < to && (isLetter(text[at]) || Decimals.isDigit(text, at, to) || text[at] == '~')) {
                    at++;
                }
            }
        }
        return end;
    }

    private static void encodeName(byte[] text, int from, int to, KeyBuffer key) {
        int at = from;
        while (true) {
            while (at < to && !Decimals.isDigit(text, at, to)) {
                key.add(CODES[Byte.toUnsignedInt(text[at++])]);
            }
            key.add(RUN_END);
            int begin = Decimals.skipZeros(text, at, to);
            at = Decimals.skipDigits(text, begin, to);
            if (begin < at) {
                encodeNumber(text, begin, at, key);
            } else if (at == to) {
                key.add(ZERO_AT_END);
                return;
            } else {
                key.add(text[at] == '~' ? ZERO_BEFORE_TILDE : ZERO_BEFORE_OTHERS);
            }
        }
    }

    private static void encodeNumber(byte[] text, int from, int to, KeyBuffer key) {
        int length = to - from;
        if (length <= SHORT) {
            key.add(ZERO_BEFORE_OTHERS + length);
        } else {
            key.add(LONG);
            DecimalKey.addInt(length, key);
        }
        Decimals.write(text, from, to, to, to, key);
    }
}
