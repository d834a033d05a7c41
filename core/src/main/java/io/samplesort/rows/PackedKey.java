package io.samplesort.rows;

import io.samplesort.keys.OrderedBits;
import java.util.function.ToLongFunction;

/// One key of a few objects as bits whose unsigned order is that of the objects.
///
/// @param bits     the bits of each object, from 0 to `greatest`
/// @param greatest at least the greatest of the bits, unsigned
/// @param isExact  whether keys with equal bits are equal
record PackedKey(long[] bits, long greatest, boolean isExact) {
    /// This many characters of each string, after those that all have in common, decide how strings are packed.
    private static final int READ_CHARS = 9;

    /// Packs numbers.
    ///
    /// @param values become the bits
    static PackedKey of(long[] values, boolean isReversed) {
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (long value : values) {
            least = Math.min(least, value);
            greatest = Math.max(greatest, value);
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = isReversed ? greatest - values[i] : values[i] - least;
        }
        return new PackedKey(values, greatest - least, true);
    }

    /// Packs keys that are objects; nulls come first or last.
    ///
    /// @param values keys, or null
    /// @return null if it is not known how to pack keys of these types
    static PackedKey of(Object[] values, KeyTypes types, boolean isReversed, boolean nullsFirst) {
        ToLongFunction<Object> toLong =
                types.areFloating() ? value -> OrderedBits.of(KeyTypes.unboxed(value)) : types.asLong();
        boolean isExact = toLong != null;
        if (toLong == null) {
            toLong = types.asPrefix();
        }
        if (toLong == null && !types.areStrings()) {
            return null;
        }
        Object any = values[firstNotNull(values)];
        PackedKey key;
        if (toLong != null) {
            long[] numbers = new long[values.length];
            for (int i = 0; i < values.length; i++) {
                numbers[i] = toLong.applyAsLong(values[i] == null ? any : values[i]);
            }
            key = of(numbers, isReversed);
            key = isExact ? key : new PackedKey(key.bits, key.greatest, false);
        } else {
            key = ofStrings(values, (String) any, isReversed);
        }
        return types.hasNull() ? key.withNulls(values, nullsFirst) : key;
    }

    private static int firstNotNull(Object[] values) {
        int i = 0;
        while (values[i] == null) {
            i++;
        }
        return i;
    }

    /// Packs strings: the characters after those that all have in common, each in just enough bits to tell these
    /// characters and the end of a string apart.
    ///
    /// @param any stands for nulls
    private static PackedKey ofStrings(Object[] values, String any, boolean isReversed) {
        int common = common(values, any);
        int least = Character.MAX_VALUE;
        int greatest = 0;
        int longest = 0;
        char[] read = new char[values.length * READ_CHARS];
        byte[] readCounts = new byte[values.length];
        for (int i = 0, at = 0; i < values.length; i++, at += READ_CHARS) {
            String string = values[i] == null ? any : (String) values[i];
            longest = Math.max(longest, string.length() - common);
            int end = Math.min(string.length(), common + READ_CHARS);
            string.getChars(common, end, read, at);
            readCounts[i] = (byte) (end - common);
            for (int c = at; c < at + end - common; c++) {
                least = Math.min(least, read[c]);
                greatest = Math.max(greatest, read[c]);
            }
        }
        // 0 stands for the end of a string.
        int charBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, greatest - least) + 1);
        int chars = Math.min(Math.min(longest, READ_CHARS), Long.SIZE / charBits);
        long[] bits = new long[values.length];
        for (int i = 0, at = 0; i < bits.length; i++, at += READ_CHARS) {
            int end = Math.min(readCounts[i], chars);
            long word = 0;
            for (int c = at; c < at + end; c++) {
                word = word << charBits | read[c] - least + 1;
            }
            bits[i] = end == 0 ? 0 : word << charBits * (chars - end);
        }
        // With the sign bit inverted, all 64 bits are in the order of a long.
        boolean isFull = chars * charBits == Long.SIZE;
        if (isFull) {
            for (int i = 0; i < bits.length; i++) {
                bits[i] ^= Long.MIN_VALUE;
            }
        }
        PackedKey key = of(bits, isReversed);
        return longest <= chars ? key : new PackedKey(key.bits, key.greatest, false);
    }

    /// Returns how many characters at the beginning of all strings are the same.
    private static int common(Object[] values, String any) {
        int common = any.length();
        for (int i = 0; i < values.length && common > 0; i++) {
            if (values[i] != null) {
                common = common(any, (String) values[i], common);
            }
        }
        return common;
    }

    private static int common(String one, String other, int most) {
        int limit = Math.min(most, other.length());
        int i = 0;
        while (i < limit && one.charAt(i) == other.charAt(i)) {
            i++;
        }
        return i;
    }

    /// Makes nulls come before or after all other keys.
    private PackedKey withNulls(Object[] values, boolean nullsFirst) {
        // One more value must fit into 64 bits.
        int lost = greatest < 0 ? 1 : 0;
        long greatestValue = greatest >>> lost;
        for (int i = 0; i < bits.length; i++) {
            long value = bits[i] >>> lost;
            if (nullsFirst) {
                bits[i] = values[i] == null ? 0 : value + 1;
            } else {
                bits[i] = values[i] == null ? greatestValue + 1 : value;
            }
        }
        return new PackedKey(bits, greatestValue + 1, isExact && lost == 0);
    }
}
