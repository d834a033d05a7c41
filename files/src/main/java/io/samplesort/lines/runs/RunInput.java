package io.samplesort.lines.runs;

import io.samplesort.disk.SegmentIo;
import io.samplesort.lines.flow.LongLine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/// Reads a part of a run from its first line to its last.
final class RunInput implements LineCursor.Input {
    private final LineRun run;
    private final long end;
    private final LongConsumer moved;
    private long position;
    private int nextLong;

    /// @param from  where a line begins
    /// @param to    where a line begins, or the end of the run
    /// @param moved is called with the bytes that were read
    RunInput(LineRun run, long from, long to, LongConsumer moved) {
        this.run = run;
        this.position = from;
        this.end = to;
        this.moved = moved;
        this.nextLong = run.longLines().firstFrom(from);
    }

    @Override
    public long read(MemorySegment target) throws IOException {
        long stop = Math.min(end, run.longLines().start(nextLong));
        long length = Math.min(target.byteSize(), stop - position);
        SegmentIo.read(run.channel(), position, target.asSlice(0, length), moved);
        position += length;
        return length;
    }

    @Override
    public LongLine nextLong() {
        if (position == end) {
            return null;
        }
        LongLine line = run.longLines().line(nextLong, run.channel());
        moved.accept(line.text().byteSize());
        position = run.longLines().end(nextLong);
        nextLong++;
        return line;
    }

    /// Returns how far the run has been read.
    long position() {
        return position;
    }
}
