package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.LongLine;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.lines.keys.KeyBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Merges sorted lines from several cursors into blocks, which are handed on.
public final class LineMerge {
    private final LineBlock lines;
    private final RangeComparison ranges;
    private final Repeats repeats;
    /// Null if lines are not counted.
    private final LineCount count;
    private final LineTally tally;
    /// The key of the line that was taken last.
    private final KeyBuffer last = new KeyBuffer();
    /// That line, if it is a long one; [#last] then has the beginning of its key.
    private LongLine lastLong;

    private boolean isFirst = true;
    private long handedLines;
    private long handedBytes;
    private long droppedLines;
    private long droppedBytes;

    /// @param block    where lines are gathered
    /// @param ranges   compares long lines
    /// @param repeats  what becomes of equal lines
    /// @param tally    counts the lines
    public LineMerge(MemorySegment block, RangeComparison ranges, Repeats repeats, LineSink sink, LineTally tally) {
        this.lines = new LineBlock(block, sink);
        this.ranges = ranges;
        this.repeats = repeats;
        this.count = repeats.areCounted() ? new LineCount(lines, ranges) : null;
        this.tally = tally;
    }

    /// Merges all lines.
    ///
    /// @param depth how many bytes all keys have in common at their beginning
    /// @return the last lines, which have not been handed on yet; they are valid until the block is used again
    public MemorySegment merge(List<LineCursor> cursors, int depth) throws IOException {
        LoserTree tree = new LoserTree(cursors, depth, ranges);
        for (LineCursor cursor = tree.least(); cursor != null; cursor = tree.least()) {
            if (isRepeated(cursor)) {
                leaveOut(cursor);
            } else {
                handOn(cursor);
            }
            tree.next();
        }
        for (LineCursor cursor : cursors) {
            tally.take(cursor.lineCount(), cursor.byteCount());
        }
        if (count != null) {
            count.end(tally);
        }
        tally.handOn(handedLines, handedBytes);
        tally.drop(droppedLines, droppedBytes);
        return lines.rest();
    }

    private boolean isRepeated(LineCursor cursor) throws IOException {
        return switch (repeats) {
            case KEPT -> false;
            case COUNTED -> count.isSame(cursor);
            case LEFT_OUT, COUNTED_BY_KEYS -> !isNew(cursor);
        };
    }

    private boolean isNew(LineCursor cursor) throws IOException {
        if (!isFirst && isLast(cursor)) {
            return false;
        }
        isFirst = false;
        lastLong = cursor.longLine();
        last.clear();
        last.add(cursor.keyBytes(), cursor.keyFrom(), cursor.keyTo());
        return true;
    }

    private boolean isLast(LineCursor cursor) throws IOException {
        if (lastLong == null && cursor.longLine() == null) {
            return cursor.compare(last.bytes(), 0, last.length()) == 0;
        }
        HeldKey key = cursor.heldKey();
        HeldKey lastKey = new HeldKey(last.bytes(), 0, last.length(), lastLong);
        return key.wholeLength() == lastKey.wholeLength() && ranges.compare(key, lastKey, 0) == 0;
    }

    private void handOn(LineCursor cursor) throws IOException {
        handedLines++;
        handedBytes += cursor.lineBytes();
        if (count != null) {
            count.take(cursor);
        } else if (cursor.longLine() != null) {
            lines.add(cursor.longLine());
        } else {
            lines.add(cursor.text(), cursor.from(), (int) cursor.lineBytes());
        }
    }

    private void leaveOut(LineCursor cursor) {
        droppedLines++;
        droppedBytes += cursor.lineBytes();
        if (count != null) {
            count.repeat();
        }
    }
}
