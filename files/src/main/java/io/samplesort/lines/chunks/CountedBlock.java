package io.samplesort.lines.chunks;

import io.samplesort.lines.flow.CountText;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.OrderedBlocks;
import io.samplesort.shared.LineKernels;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Writes the first one of equal lines behind their number, for some of the places in sorted order. Equal lines belong
/// to the block that has the first one of them, however far they reach beyond its end.
final class CountedBlock {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    /// A byte of each of this many lines is read before the first of them is compared, so that the memory works on many
    /// requests at a time.
    private static final int BATCH = 64;

    /// Copying longer lines word by word takes longer than calling what copies whole segments.
    private static final int LONGEST_BY_WORDS = 128;

    private final Strings lines;
    private final Strings compared;
    private final MemorySegment permutation;
    private final int lineCount;
    private final MemorySegment block;
    private final long room;
    private final LineSink sink;
    private final long number;
    private final OrderedBlocks turns;
    /// Null if there are no kernels.
    private final LineKernels.Copy copy;

    private final long[] counted = new long[LineKernels.COUNT_FIELDS];
    private final CountText numbers = new CountText();
    private int readUpTo;
    private long length;
    private long handedLines;
    private long handedBytes;
    private long droppedLines;
    private long droppedBytes;
    private long countedLines;
    private long countBytes;
    /// Keeps the compiler from removing the reads.
    @SuppressWarnings("UnusedVariable")
    private volatile int touched;

    /// @param compared    by which lines are equal: the lines or their keys
    /// @param permutation an `int` for each line, the index of the one that comes i-th
    /// @param block       where lines are gathered, with [Chunk#SLACK_BYTES] behind the room for them
    /// @param number      of the block
    /// @param hasKernels  whether to use kernels, which must be available
    CountedBlock(
            Strings lines,
            Strings compared,
            MemorySegment permutation,
            MemorySegment block,
            LineSink sink,
            long number,
            OrderedBlocks turns,
            boolean hasKernels) {
        this.lines = lines;
        this.compared = compared;
        this.permutation = permutation;
        this.lineCount = (int) (permutation.byteSize() / Integer.BYTES);
        this.block = block;
        this.room = block.byteSize() - Chunk.SLACK_BYTES;
        this.sink = sink;
        this.number = number;
        this.turns = turns;
        this.copy = hasKernels ? new LineKernels.Copy(lines, compared, permutation) : null;
    }

    /// Writes those of equal lines whose first one is at the places `from` to `to - 1`.
    void write(int from, int to, LineTally tally) throws IOException {
        readUpTo = from;
        int first = firstNew(from, to);
        while (first < to) {
            int next = copy == null ? first : copy(first, to);
            first = next > first ? next : writeOne(first);
        }
        tally.handOn(handedLines, handedBytes);
        tally.drop(droppedLines, droppedBytes);
        tally.count(countedLines, countBytes);
        sink.end(block.asSlice(0, length), number, turns);
    }

    /// Returns the first place whose line differs from the one before; `to` if there is none.
    private int firstNew(int from, int to) {
        if (copy != null) {
            // Without room, nothing is copied.
            return (int) copy.gather(from, to, block, 0, 0, counted);
        }
        int place = from;
        while (place < to && place > 0 && isEqualToBefore(place)) {
            place++;
        }
        return place;
    }

    /// Writes lines with kernels.
    ///
    /// @return the first place that is left; the same as `first` if the line there needs more room
    private int copy(int first, int to) {
        MemorySegment target = block.asSlice(length);
        int next = (int) copy.count(first, to, CountText.COLUMNS, CountText.MOST_BYTES, target, room - length, counted);
        length += counted[0];
        droppedLines += counted[1];
        droppedBytes += counted[2];
        handedLines += counted[3];
        handedBytes += counted[4];
        countedLines += counted[5];
        countBytes += counted[0] - counted[4];
        return next;
    }

    /// Writes one line.
    ///
    /// @return the place of the next line that differs
    private int writeOne(int first) throws IOException {
        int next = first + 1;
        while (next < lineCount && isEqualToBefore(next)) {
            leaveOut(line(next));
            next++;
        }
        write(line(first), next - first);
        return next;
    }

    private int line(int place) {
        return permutation.getAtIndex(ValueLayout.JAVA_INT, place);
    }

    private boolean isEqualToBefore(int place) {
        if (place >= readUpTo) {
            readAhead(place);
        }
        int line = line(place);
        int before = line(place - 1);
        long from = compared.start(line);
        long to = compared.end(line);
        long beforeFrom = compared.start(before);
        long beforeTo = compared.end(before);
        return to - from == beforeTo - beforeFrom
                && MemorySegment.mismatch(compared.bytes(), from, to, compared.bytes(), beforeFrom, beforeTo) < 0;
    }

    private void readAhead(int place) {
        readUpTo = Math.min(lineCount, place + BATCH);
        MemorySegment bytes = compared.bytes();
        int sum = 0;
        for (int i = place; i < readUpTo; i++) {
            long start = compared.start(line(i));
            // The bytes of the last string may be none.
            sum += start < bytes.byteSize() ? bytes.get(ValueLayout.JAVA_BYTE, start) : 0;
        }
        touched = sum;
    }

    private long lineBytes(int line) {
        return lines.start(line + 1L) - lines.start(line);
    }

    private void leaveOut(int line) {
        droppedLines++;
        droppedBytes += lineBytes(line);
    }

    private void write(int line, int count) throws IOException {
        byte[] text = numbers.of(count);
        long start = lines.start(line);
        long bytes = lineBytes(line);
        handedLines++;
        handedBytes += bytes;
        countedLines += count;
        countBytes += text.length;
        if (text.length + bytes > room - length) {
            handOn();
        }
        MemorySegment.copy(text, 0, block, ValueLayout.JAVA_BYTE, length, text.length);
        length += text.length;
        if (bytes > room - length) {
            handOn();
            sink.append(lines.bytes().asSlice(start, bytes));
        } else if (bytes <= LONGEST_BY_WORDS) {
            for (long at = 0; at < bytes; at += Long.BYTES) {
                block.set(WORD, length + at, lines.bytes().get(WORD, start + at));
            }
            length += bytes;
        } else {
            MemorySegment.copy(lines.bytes(), start, block, length, bytes);
            length += bytes;
        }
    }

    private void handOn() throws IOException {
        turns.await(number);
        if (length > 0) {
            sink.append(block.asSlice(0, length));
            length = 0;
        }
    }
}
