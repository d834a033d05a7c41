package io.samplesort.lines.runs;

import io.samplesort.lines.flow.CountText;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.LongLine;
import io.samplesort.lines.keys.ByteRange;
import io.samplesort.lines.keys.KeyBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Holds the line that a merge has come to until all lines that are equal to it were counted. Then it writes the line
/// behind their number.
final class LineCount {
    private final LineBlock lines;
    private final RangeComparison ranges;
    private final CountText numbers = new CountText();
    /// The line with its terminator, unless it is a long one.
    private final KeyBuffer text = new KeyBuffer();

    private LongLine longLine;
    /// How many lines are equal to the line that is held; 0 if none is held.
    private long count;

    private long countedLines;
    private long countBytes;

    /// @param lines  where lines are written
    /// @param ranges compares long lines
    LineCount(LineBlock lines, RangeComparison ranges) {
        this.lines = lines;
        this.ranges = ranges;
    }

    /// Returns whether a line has the same bytes as the line that is held.
    boolean isSame(LineCursor cursor) throws IOException {
        if (count == 0) {
            return false;
        }
        LongLine other = cursor.longLine();
        if (longLine == null && other == null) {
            return Arrays.equals(
                    text.bytes(),
                    0,
                    text.length(),
                    cursor.text(),
                    cursor.from(),
                    cursor.from() + (int) cursor.lineBytes());
        }
        ByteRange held = longLine == null ? range(text.bytes(), 0, text.length()) : longLine.text();
        return held.byteSize() == cursor.lineBytes()
                && ranges.compare(
                                held,
                                other == null ? range(cursor.text(), cursor.from(), cursor.lineBytes()) : other.text(),
                                0)
                        == 0;
    }

    private static ByteRange range(byte[] bytes, int from, long length) {
        return ByteRange.of(MemorySegment.ofArray(bytes).asSlice(from, length));
    }

    /// Counts a line that is equal to the line that is held.
    void repeat() {
        count++;
    }

    /// Writes the line that is held, and holds another one.
    void take(LineCursor cursor) throws IOException {
        write();
        count = 1;
        longLine = cursor.longLine();
        text.clear();
        if (longLine == null) {
            text.add(cursor.text(), cursor.from(), cursor.from() + (int) cursor.lineBytes());
        }
    }

    /// Writes the last line, and reports how many there were.
    void end(LineTally tally) throws IOException {
        write();
        tally.count(countedLines, countBytes);
    }

    private void write() throws IOException {
        if (count == 0) {
            return;
        }
        byte[] number = numbers.of(count);
        countedLines += count;
        countBytes += number.length;
        lines.add(number, 0, number.length);
        if (longLine == null) {
            lines.add(text.bytes(), 0, text.length());
        } else {
            lines.add(longLine);
        }
    }
}
