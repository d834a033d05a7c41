package io.samplesort.lines.chunks;

import io.samplesort.lines.flow.LineCut;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/// The lines of a sorted chunk that a cut leaves. They are next to each other in order.
public final class CutLines {
    private final Strings lines;
    private final Strings keys;
    private final MemorySegment permutation;
    private final boolean isUnique;
    private final LineCut cut;
    private final int count;
    private int from;
    private int to;
    private boolean isFull;

    /// @param lines       all lines of the chunk with their terminators
    /// @param keys        what stands for the lines; `lines` if they are their own keys
    /// @param permutation an `int` for each line, the index of the one that comes i-th
    /// @param isUnique    whether only the first one of lines with equal keys counts
    public CutLines(LineCut cut, Strings lines, Strings keys, MemorySegment permutation, boolean isUnique) {
        this.cut = cut;
        this.lines = lines;
        this.keys = keys;
        this.permutation = permutation;
        this.isUnique = isUnique;
        this.count = (int) (permutation.byteSize() / Integer.BYTES);
        this.from = cut.isLast() ? count : 0;
        this.to = from;
        this.isFull = cut.count() == 0;
        if (!isFull && isUnique) {
            findDifferent();
        } else if (!isFull) {
            int wanted = (int) Math.min(cut.count(), count);
            from = cut.isLast() ? count - wanted : 0;
            to = from + wanted;
            isFull = wanted == cut.count();
        }
    }

    /// Goes from the end that is wanted to the first one of the last group of equal lines.
    private void findDifferent() {
        long found = 0;
        for (int i = 0; i < count && !isFull; i++) {
            int place = cut.isLast() ? count - 1 - i : i;
            found += isFirst(place) ? 1 : 0;
            isFull = found == cut.count();
            from = cut.isLast() ? place : 0;
            to = cut.isLast() ? count : place + 1;
        }
    }

    /// Returns whether a line differs from the one before.
    private boolean isFirst(int place) {
        if (place == 0) {
            return true;
        }
        int line = line(place);
        int before = line(place - 1);
        return MemorySegment.mismatch(
                        keys.bytes(),
                        keys.start(line),
                        keys.end(line),
                        keys.bytes(),
                        keys.start(before),
                        keys.end(before))
                >= 0;
    }

    private int line(int place) {
        return permutation.getAtIndex(ValueLayout.JAVA_INT, place);
    }

    /// Returns the part of the permutation that holds the lines, with all that are equal to them if lines are unique.
    public MemorySegment permutation() {
        return permutation.asSlice((long) from * Integer.BYTES, (long) (to - from) * Integer.BYTES);
    }

    /// Returns whether these are as many lines as are wanted, and at least one.
    public boolean hasBoundary() {
        return isFull && to > from;
    }

    /// Returns the line next to those that are not wanted.
    int boundary() {
        return line(cut.isLast() ? from : to - 1);
    }

    Strings lines() {
        return lines;
    }

    /// Counts the lines outside as left out.
    public void dropOthers(LineTally tally) {
        drop(0, from, tally);
        drop(to, count, tally);
    }

    private void drop(int first, int end, LineTally tally) {
        long bytes = 0;
        for (int place = first; place < end; place++) {
            bytes += byteSize(place);
        }
        tally.drop((long) end - first, bytes);
    }

    private long byteSize(int place) {
        int line = line(place);
        return lines.start(line + 1L) - lines.start(line);
    }

    /// Makes these lines the only ones of the chunk, in the order in which they were read.
    ///
    /// @param tally counts those that are left out
    public void leave(Chunk chunk, LineTally tally) {
        BitSet kept = new BitSet(count);
        dropOthers(tally);
        for (int place = from; place < to; place++) {
            if (!isUnique || place == from || isFirst(place)) {
                kept.set(line(place));
            } else {
                tally.drop(1, byteSize(place));
            }
        }
        Compaction compaction = new Compaction(chunk);
        for (int line = kept.nextSetBit(0); line >= 0; ) {
            int end = kept.nextClearBit(line);
            compaction.keep(line, end);
            line = kept.nextSetBit(end);
        }
        compaction.end();
        tally.take(compaction.droppedLines(), compaction.droppedBytes());
    }
}
