package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LongLine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Gathers lines in a block, which is handed on when it is full.
final class LineBlock {
    private final MemorySegment block;
    private final LineSink sink;
    private long length;

    LineBlock(MemorySegment block, LineSink sink) {
        this.block = block;
        this.sink = sink;
    }

    /// Adds a line that has its terminator behind it.
    void add(byte[] text, int from, int bytes) throws IOException {
        makeRoom(bytes);
        if (bytes > block.byteSize()) {
            sink.append(MemorySegment.ofArray(text).asSlice(from, bytes));
        } else {
            MemorySegment.copy(text, from, block, ValueLayout.JAVA_BYTE, length, bytes);
            length += bytes;
        }
    }

    void add(LongLine line) throws IOException {
        long bytes = line.text().byteSize();
        makeRoom(bytes);
        if (bytes > Math.min(block.byteSize(), sink.longestLine())) {
            handOn();
            sink.append(line, block);
        } else {
            line.text().read(0, block.asSlice(length, bytes));
            length += bytes;
        }
    }

    private void makeRoom(long bytes) throws IOException {
        if (bytes > block.byteSize() - length) {
            handOn();
        }
    }

    private void handOn() throws IOException {
        if (length > 0) {
            sink.append(block.asSlice(0, length));
            length = 0;
        }
    }

    /// Returns the lines that have not been handed on; they are valid until the block is used again.
    MemorySegment rest() {
        return block.asSlice(0, length);
    }
}
