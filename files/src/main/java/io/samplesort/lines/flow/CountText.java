package io.samplesort.lines.flow;

import java.nio.charset.StandardCharsets;

/// Writes numbers of equal lines as `uniq -c` does: aligned to the right in seven columns, or wider if they are
/// greater, with a space behind. Two threads must not use it at once.
public final class CountText {
    public static final int COLUMNS = 7;

    /// How many bytes nearly all numbers take.
    public static final int USUAL_BYTES = COLUMNS + 1;

    /// How many bytes the number of any lines in memory takes, and the space behind it.
    public static final int MOST_BYTES = 11;

    private long last;
    private byte[] bytes;

    /// Returns the text of a number, which must not be changed.
    public byte[] of(long count) {
        // Many lines have the number of the line before them: all of them, where none is repeated.
        if (bytes == null || count != last) {
            String digits = Long.toString(count);
            String text = " ".repeat(Math.max(0, COLUMNS - digits.length())) + digits + " ";
            bytes = text.getBytes(StandardCharsets.US_ASCII);
            last = count;
        }
        return bytes;
    }
}
