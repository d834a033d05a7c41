package io.samplesort.cli.values;

import io.samplesort.files.types.LineKey;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads keys such as `2,2n`, `1.3b,4.5` and `3`, as GNU's sort has them: `POS1[,POS2]`, where a position is
/// `FIELD[.BYTE][LETTERS]`. Blanks before a number do not count.
public final class LineKeyParser {
    /// A number may have blanks and a plus before it, as for C's `strtoumax`.
    private static final String NUMBER = "\\s*\\+?(\\d+)";

    private static final String POSITION = NUMBER + "(?:\\." + NUMBER + ")?([A-Za-z]*)";
    private static final Pattern KEY = Pattern.compile(POSITION + "(?:," + POSITION + ")?");
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private LineKeyParser() {}

    /// A key as it was written. The letters for all keys decide what it leaves open.
    ///
    /// @param letters the ordering letters of both positions
    public record Written(
            long startField,
            long startByte,
            long endField,
            long endByte,
            boolean skipsBlanksAtStart,
            boolean skipsBlanksAtEnd,
            LineLetters letters) {
        /// Returns the key, with the letters for all keys if it has none itself.
        ///
        /// @throws IllegalArgumentException if the letters contradict each other
        public LineKey key(LineLetters forAll) {
            boolean isPlain = letters.isEmpty() && !skipsBlanksAtStart && !skipsBlanksAtEnd;
            LineLetters valid = isPlain ? forAll : letters;
            valid.check();
            LineKey key = LineKey.from(startField, startByte)
                    .to(endField, endByte)
                    .as(valid.kind())
                    .only(valid.bytes());
            key = (isPlain ? forAll.has('b') : skipsBlanksAtStart) ? key.skippingBlanksAtStart() : key;
            key = (isPlain ? forAll.has('b') : skipsBlanksAtEnd) ? key.skippingBlanksAtEnd() : key;
            key = valid.has('f') ? key.ignoringAsciiCase() : key;
            return valid.has('r') ? key.reversed() : key;
        }
    }

    /// @throws IllegalArgumentException if this is no key; the message says what to write
    public static Written parse(String text) {
        Matcher matcher = KEY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "key '" + text + "': write FIELD[.BYTE][LETTERS][,FIELD[.BYTE][LETTERS]], such as 2,2n or 1.3,1.5");
        }
        String startLetters = matcher.group(3);
        String endLetters = matcher.group(6) == null ? "" : matcher.group(6);
        return new Written(
                number(text, matcher.group(1), 1, "fields are counted from 1"),
                matcher.group(2) == null ? 1 : number(text, matcher.group(2), 1, "bytes are counted from 1"),
                matcher.group(4) == null ? 0 : number(text, matcher.group(4), 1, "fields are counted from 1"),
                matcher.group(5) == null ? 0 : number(text, matcher.group(5), 0, ""),
                startLetters.contains("b"),
                endLetters.contains("b"),
                LineLetters.of((startLetters + endLetters).replace("b", "")));
    }

    private static long number(String text, String digits, int least, String reason) {
        long number = new BigInteger(digits).min(LARGEST).longValueExact();
        if (number < least) {
            throw new IllegalArgumentException("key '" + text + "': " + reason);
        }
        return number;
    }
}
