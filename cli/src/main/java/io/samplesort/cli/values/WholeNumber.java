package io.samplesort.cli.values;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads whole numbers with a unit or a power, such as `1000000`, `1e6`, `16M` and `2^24`.
///
/// The units K, M, G and T are powers of 1024. Sizes in bytes may also be written as `16MiB`, which is the same, and as
/// `16MB`, which is 16 times 1000².
final class WholeNumber {
    private static final Pattern COUNT = Pattern.compile("(\\d+)(?:\\^(\\d{1,2})|([KMGT])()|E(\\d{1,2}))?");
    private static final Pattern SIZE = Pattern.compile("(\\d+)(?:\\^(\\d{1,2})|([KMGT])(IB|B)?|E(\\d{1,2}))?");
    private static final String UNITS = "KMGT";

    private WholeNumber() {}

    /// @throws IllegalArgumentException if the text is not a number of elements
    static long count(String text) {
        return parse(text, "count '" + text + "'", COUNT, "1000000, 1e6, 16M or 2^24");
    }

    /// @throws IllegalArgumentException if the text is not a positive number of bytes
    static long size(String text) {
        long bytes = parse(text, "size '" + text + "'", SIZE, "4G, 4GB or 512MiB");
        if (bytes == 0) {
            throw new IllegalArgumentException("size '" + text + "' must be positive");
        }
        return bytes;
    }

    private static long parse(String text, String what, Pattern syntax, String examples) {
        if (text.matches("-\\d.*")) {
            throw new IllegalArgumentException(what + " must not be negative");
        }
        Matcher matcher = syntax.matcher(text.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(what + " is not a number: write it as in " + examples);
        }
        try {
            long number = Long.parseLong(matcher.group(1));
            if (matcher.group(2) != null) {
                return power(number, Integer.parseInt(matcher.group(2)));
            }
            if (matcher.group(5) != null) {
                return Math.multiplyExact(number, power(10, Integer.parseInt(matcher.group(5))));
            }
            if (matcher.group(3) == null) {
                return number;
            }
            long base = "B".equals(matcher.group(4)) ? 1000 : 1024;
            return Math.multiplyExact(number, power(base, UNITS.indexOf(matcher.group(3)) + 1));
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(what + " is too large", e);
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
