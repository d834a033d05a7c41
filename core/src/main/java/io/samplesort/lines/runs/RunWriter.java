package io.samplesort.lines.runs;

import io.samplesort.files.FileFailure;
import io.samplesort.files.SegmentIo;
import io.samplesort.files.TemporaryFile;
import io.samplesort.lines.flow.LineSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongConsumer;

/// Writes sorted runs to a temporary file, one behind another.
public final class RunWriter implements LineSink {
    /// A run has a mark for so many bytes, and fewer marks if that would make too many.
    private static final long LEAST_BYTES_BETWEEN = 16 << 10;

    private static final int MOST_MARKS = 1 << 13;

    private final TemporaryFile file;
    private final LongConsumer moved;
    private long position;
    private long from;
    private long bytesBetween;
    private long[] marks;
    private int markCount;

    /// @param moved is told the bytes that were written
    RunWriter(TemporaryFile file, LongConsumer moved) {
        this.file = file;
        this.moved = moved;
    }

    void begin() {
        from = position;
        bytesBetween = LEAST_BYTES_BETWEEN;
        marks = new long[64];
        markCount = 0;
    }

    @Override
    public void append(MemorySegment lines) throws IOException {
        claim(lines.byteSize()).write(lines);
    }

    @Override
    public Place claim(long bytes) {
        if (markCount == 0 || position - marks[markCount - 1] >= bytesBetween) {
            mark();
        }
        long place = position;
        position += bytes;
        return lines -> write(place, lines);
    }

    private void write(long place, MemorySegment lines) throws IOException {
        try {
            SegmentIo.write(file.channel(), place, lines, moved);
        } catch (IOException e) {
            throw new FileFailure("cannot write sorted parts to " + file.path().getParent(), e);
        }
    }

    private void mark() {
        if (markCount == MOST_MARKS) {
            // Every second mark stays.
            for (int i = 0; i < MOST_MARKS / 2; i++) {
                marks[i] = marks[2 * i];
            }
            markCount = MOST_MARKS / 2;
            bytesBetween *= 2;
        }
        if (markCount == marks.length) {
            marks = Arrays.copyOf(marks, 2 * markCount);
        }
        marks[markCount++] = position;
    }

    LineRun end() {
        return new LineRun(file.channel(), from, position, marks, markCount);
    }
}
