package io.samplesort.lines.keys;

/// Writes decimal digits as bytes whose order is that of the number: two digits in a byte, and an end that comes before
/// all of them. Zeros at the end are left out, because whatever follows the last digit counts as zeros.
final class Decimals {
    private static final int END = 0;
    private static final int TEN = 10;

    private Decimals() {}

    static boolean isDigit(byte[] text, int at, int to) {
        return at < to && text[at] >= '0' && text[at] <= '9';
    }

    /// Returns the first place from `at` on that is not a digit.
    static int skipDigits(byte[] text, int at, int to) {
        int place = at;
        while (isDigit(text, place, to)) {
            place++;
        }
        return place;
    }

    static int skipZeros(byte[] text, int at, int to) {
        int place = at;
        while (place < to && text[place] == '0') {
            place++;
        }
        return place;
    }

    /// Returns where the digits end if the zeros at their end are left out.
    static int withoutZeros(byte[] text, int from, int to) {
        int end = to;
        while (end > from && text[end - 1] == '0') {
            end--;
        }
        return end;
    }

    /// Writes the digits from `from` to `to`, and after them those from `moreFrom` to `moreTo`.
    static void write(byte[] text, int from, int to, int moreFrom, int moreTo, KeyBuffer key) {
        int moreEnd = withoutZeros(text, moreFrom, moreTo);
        int end = moreEnd > moreFrom ? to : withoutZeros(text, from, to);
        int half = -1;
        for (int i = from; i < end; i++) {
            half = write(text[i] - '0', half, key);
        }
        for (int i = moreFrom; i < moreEnd; i++) {
            half = write(text[i] - '0', half, key);
        }
        if (half >= 0) {
            key.add(half * TEN + 1);
        }
        key.add(END);
    }

    /// @param half the digit before, which has no byte yet; negative if all digits have one
    /// @return the digit that has no byte yet, or a negative number
    private static int write(int digit, int half, KeyBuffer key) {
        if (half < 0) {
            return digit;
        }
        key.add(half * TEN + digit + 1);
        return -1;
    }
}
