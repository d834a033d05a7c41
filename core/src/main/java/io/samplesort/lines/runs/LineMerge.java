package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.keys.KeyBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Merges sorted lines from several cursors into blocks, which are handed on.
public final class LineMerge {
    private final LineSink sink;
    private final MemorySegment block;
    private final boolean isUnique;
    private final LineTally tally;
    /// The key of the line that was taken last.
    private final KeyBuffer last = new KeyBuffer();
    private boolean isFirst = true;
    private long length;
    private long handedLines;
    private long handedBytes;
    private long droppedLines;
    private long droppedBytes;

    /// @param block    where lines are gathered
    /// @param isUnique whether of lines with equal keys only the first one is taken
    /// @param tally    counts the lines
    public LineMerge(MemorySegment block, boolean isUnique, LineSink sink, LineTally tally) {
        this.block = block;
        this.isUnique = isUnique;
        this.tally = tally;
        this.sink = sink;
    }

    /// Merges all lines.
    ///
    /// @param depth how many bytes all keys have in common at their beginning
    /// @return the last lines, which are not handed on yet; they stay until the block is used again
    public MemorySegment merge(List<LineCursor> cursors, int depth) throws IOException {
        LoserTree tree = new LoserTree(cursors, depth);
        for (LineCursor cursor = tree.least(); cursor != null; cursor = tree.least()) {
            if (!isUnique || isNew(cursor)) {
                add(cursor.text(), cursor.from(), cursor.to() + 1);
            } else {
                droppedLines++;
                droppedBytes += cursor.to() + 1 - cursor.from();
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

    private boolean isNew(LineCursor cursor) {
        if (!isFirst && cursor.compare(last.bytes(), 0, last.length()) == 0) {
            return false;
        }
        isFirst = false;
        last.clear();
        last.add(cursor.keyBytes(), cursor.keyFrom(), cursor.keyTo());
        return true;
    }

    private void add(byte[] text, int from, int to) throws IOException {
        int bytes = to - from;
        handedLines++;
        handedBytes += bytes;
        if (bytes > block.byteSize() - length) {
            handOn();
            if (bytes > block.byteSize()) {
                sink.append(MemorySegment.ofArray(text).asSlice(from, bytes));
                return;
            }
        }
        MemorySegment.copy(text, from, block, ValueLayout.JAVA_BYTE, length, bytes);
        length += bytes;
    }

    private void handOn() throws IOException {
        if (length > 0) {
            sink.append(block.asSlice(0, length));
            length = 0;
        }
    }
}
