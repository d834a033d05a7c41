package io.samplesort.lines.runs;

import io.samplesort.disk.FileFailure;
import io.samplesort.disk.SegmentIo;
import io.samplesort.disk.TemporaryFile;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LongLine;
import io.samplesort.lines.keys.ByteRange;
import io.samplesort.lines.keys.LineKeys;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongConsumer;

/// Writes sorted runs to a temporary file, one after another.
public final class RunWriter implements LineSink {
    /// The pieces of a line.
    @FunctionalInterface
    public interface Pieces {
        /// Hands on all of them, one after another.
        void forEach(ByteRange.PieceSink sink) throws IOException;
    }

    /// A run has one mark for this many bytes, or fewer marks if that would make too many.
    private static final long LEAST_BYTES_BETWEEN = 16 << 10;

    private static final int MOST_MARKS = 1 << 13;

    private final TemporaryFile file;
    private final LongConsumer moved;
    private long position;
    private long from;
    private long bytesBetween;
    private long[] marks;
    private int markCount;
    private LongLines longLines;

    /// @param moved is called with the bytes that were written
    RunWriter(TemporaryFile file, LongConsumer moved) {
        this.file = file;
        this.moved = moved;
    }

    void begin() {
        from = position;
        bytesBetween = LEAST_BYTES_BETWEEN;
        marks = new long[64];
        markCount = 0;
        longLines = new LongLines();
    }

    @Override
    public void append(MemorySegment lines) throws IOException {
        claim(lines.byteSize()).write(lines);
    }

    @Override
    public long longestLine() {
        return LongLine.LONGEST_SHORT;
    }

    @Override
    public void append(LongLine line, MemorySegment window) throws IOException {
        long start = beginLine();
        line.text().forEachPiece(window, this::writeNext);
        long textEnd = position;
        if (line.ownKey() != null) {
            line.ownKey().forEachPiece(window, this::writeNext);
        }
        longLines.add(start, textEnd, position);
    }

    /// Takes a line that is too long for the memory.
    ///
    /// @param line hands on its pieces, the last of which ends with the terminator
    public void append(Pieces line, LineKeys keys) throws IOException {
        long start = beginLine();
        line.forEach(this::writeNext);
        long textEnd = position;
        if (!keys.areLines()) {
            keys.encode(
                    new FileRange(file.channel(), start, textEnd - 1),
                    (bytes, from, to) -> writeNext(MemorySegment.ofArray(bytes).asSlice(from, (long) to - from)));
        }
        longLines.add(start, textEnd, position);
    }

    private long beginLine() {
        mark();
        return position;
    }

    private void writeNext(MemorySegment piece) throws IOException {
        write(position, piece);
        position += piece.byteSize();
    }

    @Override
    public Place claim(long bytes) {
        mark();
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

    /// Makes a mark where the next line begins, unless the last mark is near.
    private void mark() {
        if (markCount > 0 && position - marks[markCount - 1] < bytesBetween) {
            return;
        }
        if (markCount == MOST_MARKS) {
            // Only every second mark stays.
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
        return new LineRun(file.channel(), from, position, marks, markCount, longLines);
    }
}
