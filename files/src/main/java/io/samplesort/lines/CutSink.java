package io.samplesort.lines;

import io.samplesort.lines.flow.LineCut;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Hands on only the first or the last ones of the sorted lines that it takes.
final class CutSink implements LineSink {
    private static final int WINDOW_BYTES = 64 << 10;

    private final LineSink target;
    private final byte terminator;
    private final byte[] window = new byte[WINDOW_BYTES];
    /// How many lines to leave out before those that are wanted.
    private long skipped;

    private long wanted;
    private long droppedLines;
    private long droppedBytes;
    /// Where the line ends that [#pass] was to find.
    private long end;

    /// @param lines how many lines there will be
    CutSink(LineCut cut, long lines, byte terminator, LineSink target) {
        this.target = target;
        this.terminator = terminator;
        this.skipped = cut.isLast() ? Math.max(0, lines - cut.count()) : 0;
        this.wanted = cut.count();
    }

    @Override
    public void append(MemorySegment lines) throws IOException {
        long skippedLines = pass(lines, 0, skipped);
        long from = end;
        long wantedLines = pass(lines, from, wanted);
        long to = end;
        long otherLines = pass(lines, to, Long.MAX_VALUE);
        skipped -= skippedLines;
        wanted -= wantedLines;
        droppedLines += skippedLines + otherLines;
        droppedBytes += from + lines.byteSize() - to;
        if (to > from) {
            target.append(lines.asSlice(from, to - from));
        }
    }

    /// Finds the end of as many lines from a place on, or of the segment if it has fewer.
    ///
    /// @return how many lines end before
    private long pass(MemorySegment lines, long from, long most) {
        end = from;
        long passed = 0;
        while (passed < most && end < lines.byteSize()) {
            int length = (int) Math.min(WINDOW_BYTES, lines.byteSize() - end);
            MemorySegment.copy(lines, ValueLayout.JAVA_BYTE, end, window, 0, length);
            int at = 0;
            while (at < length && passed < most) {
                passed += window[at++] == terminator ? 1 : 0;
            }
            end += at;
        }
        return passed;
    }

    /// Counts the lines that were left out, of those that were handed on to this.
    void count(LineTally tally) {
        tally.cutOff(droppedLines, droppedBytes);
    }
}
