package io.samplesort.lines;

import io.samplesort.files.types.LineDisorder;
import io.samplesort.lines.flow.LineSource;
import io.samplesort.lines.keys.KeyBuffer;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.lines.runs.LineCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/// Looks for the first line that is out of order.
public final class LineCheck {
    private LineCheck() {}

    /// @param job its only input is checked, and its output is not used
    /// @return the first line that belongs before the line before it or, if lines are to be unique, is equal to it;
    ///     empty if there is none
    public static Optional<LineDisorder> firstDisorder(LineJob job) throws IOException {
        LineKeys keys = job.keys();
        int buffer = Math.clamp(job.memoryBytes() / 4, 4 << 10, 1 << 20);
        try (LineSource source = LineSource.of(job.inputs().getFirst())) {
            LineCursor cursor = new LineCursor(
                    target -> source.read(target, bytes -> {}),
                    keys.copy(),
                    job.order().terminator(),
                    buffer);
            KeyBuffer last = new KeyBuffer();
            int most = job.repeats().areEqualByKeys() ? -1 : 0;
            for (long line = 1; cursor.next(); line++) {
                if (line > 1 && -cursor.compare(last.bytes(), 0, last.length()) > most) {
                    byte[] text = Arrays.copyOfRange(cursor.text(), cursor.from(), cursor.to());
                    return Optional.of(new LineDisorder(source.path(), line, text));
                }
                last.clear();
                last.add(cursor.keyBytes(), cursor.keyFrom(), cursor.keyTo());
            }
        }
        return Optional.empty();
    }
}
