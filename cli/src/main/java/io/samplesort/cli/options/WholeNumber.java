package io.samplesort.cli.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads whole numbers with a unit or a power, such as `1000000`, `16M` (16 times 1024²) and `2^24`.
final class WholeNumber {
    private static final Pattern SYNTAX = Pattern.compile("(\\d+)(?:\\^(\\d{1,2})|([KMG]))?");

    private WholeNumber() {}

    /// @param what what the number is, for messages
    /// @throws IllegalArgumentException if the text is not such a number, or it is too large
    static long parse(String what, String text) {
        Matcher matcher = SYNTAX.matcher(text.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(what + " '" + text + "': write a number such as 1000000, 16M or 2^24");
        }
        try {
            long number = Long.parseLong(matcher.group(1));
            if (matcher.group(2) != null) {
                return power(number, Integer.parseInt(matcher.group(2)));
            }
            return matcher.group(3) == null
                    ? number
                    : Math.multiplyExact(number, power(1024, "KMG".indexOf(matcher.group(3)) + 1));
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(what + " '" + text + "' is too large", e);
        }
    }

    private static long power(long base, int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power = Math.multiplyExact(power, base);
        }
        return power;
    }
}
