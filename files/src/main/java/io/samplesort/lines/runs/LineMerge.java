package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.LongLine;
import io.samplesort.lines.keys.KeyBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Merges sorted lines from several cursors into blocks, which are handed on.
public final class LineMerge {
    private final LineSink sink;
    private final MemorySegment block;
    private final RangeComparison ranges;
    private final boolean isUnique;
    private final LineTally tally;
    /// The key of the line that was taken last.
    private final KeyBuffer last = new KeyBuffer();
    /// That line, if it is a long one; [#last] then has the beginning of its key.
    private LongLine lastLong;

    private boolean isFirst = true;
    private long length;
    private long handedLines;
    private long handedBytes;
    private long droppedLines;
    private long droppedBytes;

    /// @param block    where lines are gathered
    /// @param ranges   compares long lines
    /// @param isUnique whether only the first one of lines with equal keys is taken
    /// @param tally    counts the lines
    public LineMerge(MemorySegment block, RangeComparison ranges, boolean isUnique, LineSink sink, LineTally tally) {
        this.block = block;
        this.ranges = ranges;
        this.isUnique = isUnique;
        this.tally = tally;
        this.sink = sink;
    }

    /// Merges all lines.
    ///
    /// @param depth how many bytes all keys have in common at their beginning
    /// @return the last lines, which have not been handed on yet; they are valid until the block is used again
    public MemorySegment merge(List<LineCursor> cursors, int depth) throws IOException {
        LoserTree tree = new LoserTree(cursors, depth, ranges);
        for (LineCursor cursor = tree.least(); cursor != null; cursor = tree.least()) {
            if (isUnique && !isNew(cursor)) {
                droppedLines++;
                droppedBytes += cursor.lineBytes();
            } else {
                handedLines++;
                handedBytes += cursor.lineBytes();
                add(cursor);
            }
            tree.next();
        }
        for (LineCursor cursor : cursors) {
            tally.take(cursor.lineCount(), cursor.byteCount());
        }
        tally.handOn(handedLines, handedBytes);
        tally.drop(droppedLines, droppedBytes);
        return block.asSlice(0, length);
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

    private void add(LineCursor cursor) throws IOException {
        LongLine line = cursor.longLine();
        long bytes = cursor.lineBytes();
        if (bytes > block.byteSize() - length) {
            handOn();
        }
        if (line != null && bytes > Math.min(block.byteSize(), sink.longestLine())) {
            handOn();
            sink.append(line, block);
        } else if (line != null) {
            line.text().read(0, block.asSlice(length, bytes));
            length += bytes;
        } else if (bytes > block.byteSize()) {
            sink.append(MemorySegment.ofArray(cursor.text()).asSlice(cursor.from(), bytes));
        } else {
            MemorySegment.copy(cursor.text(), cursor.from(), block, ValueLayout.JAVA_BYTE, length, (int) bytes);
            length += bytes;
        }
    }

    private void handOn() throws IOException {
        if (length > 0) {
            sink.append(block.asSlice(0, length));
            length = 0;
        }
    }
}
