package io.samplesort.lines.chunks;

import io.samplesort.lines.flow.LineCut;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.OrderedBlocks;
import io.samplesort.lines.keys.KeyBuffer;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.types.ElementType;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Leaves lines out that cannot be among the first or last ones that are wanted, since there are enough others already:
/// those up to a boundary. Several threads compare lines with the boundary.
public final class LineFilter {
    /// Text goes through windows of this size, because Java compiles loops over arrays well at once.
    private static final int WINDOW_BYTES = 64 << 10;

    private final LineKeys keys;
    private final LineCut cut;
    private final boolean keepsEqual;
    /// Whether keys that compare as less are nearer to the end that is wanted.
    private final boolean isLessNearer;
    private final MemoryShares shares;
    private final Queue<Checker> freeCheckers = new ConcurrentLinkedQueue<>();
    /// The key of the boundary; null as long as there is none.
    private byte[] boundary;
    /// Whether lines that are equal to the boundary stay.
    private boolean equalStay;

    /// @param keepsEqual whether lines that are equal to the boundary stay, because they take the places of equal ones
    ///     that were read before
    public LineFilter(LineKeys keys, LineCut cut, boolean keepsEqual, MemoryShares shares) {
        this.keys = keys;
        this.cut = cut;
        this.keepsEqual = keepsEqual;
        this.isLessNearer = cut.isLast() == keys.order().isReversed();
        this.shares = shares;
    }

    /// Takes the boundary of lines, if there are as many as are wanted. A boundary that is very long is not taken, and
    /// the one before, behind which fewer lines lie, stays.
    public void bound(CutLines found) {
        if (!found.hasBoundary()) {
            return;
        }
        Strings lines = found.lines();
        int line = found.boundary();
        if (lines.end(line) - lines.start(line) < WINDOW_BYTES) {
            byte[] text = lines.get(line);
            KeyBuffer key = new KeyBuffer();
            keys.encode(text, 0, text.length, key);
            boundary = Arrays.copyOf(key.bytes(), key.length());
            equalStay = keepsEqual;
        }
    }

    /// Takes a boundary of lines that were not sorted, if it leaves fewer lines than the one before. Lines that are
    /// equal to it stay, because it is not known which of them come first.
    private void bound(Strings lines, long from) {
        byte[] found = LineSample.boundary(lines, from, keys, cut, WINDOW_BYTES - 1);
        if (found != null && (boundary == null || comesBefore(Arrays.compareUnsigned(found, boundary)))) {
            boundary = found;
            equalStay = true;
        }
    }

    /// Returns whether a line is nearer than another to the end that is wanted.
    ///
    /// @param order how the keys of the two compare
    private boolean comesBefore(int order) {
        return order != 0 && order < 0 == isLessNearer;
    }

    /// Leaves out lines of a chunk that lie behind the boundary.
    ///
    /// @param from  the first line to look at; those before stay
    /// @param tally counts the lines that are left out
    public void apply(Chunk chunk, long from, LineTally tally) throws IOException {
        long count = chunk.count() - from;
        Strings lines = chunk.lines();
        bound(lines, from);
        if (count == 0 || (boundary == null && cut.count() > 0)) {
            return;
        }
        long bytes = lines.start(from + count) - lines.start(from);
        long linesOfBlock = Math.max(1, shares.blockBytes() * count / (bytes + 1));
        Compaction compaction = new Compaction(chunk);
        compaction.keep(0, from);
        OrderedBlocks.run(shares.threads(), Math.ceilDiv(count, linesOfBlock), (number, turns) -> {
            Checker checker = freeCheckers.poll();
            if (checker == null) {
                checker = new Checker();
            }
            long first = from + number * linesOfBlock;
            checker.check(lines, first, (int) Math.min(linesOfBlock, from + count - first), tally);
            turns.await(number);
            checker.keep(first, compaction);
            turns.pass(number);
            freeCheckers.add(checker);
        });
        compaction.end();
        tally.take(compaction.droppedLines(), compaction.droppedBytes());
    }

    /// Compares the lines of a block with the boundary.
    private final class Checker {
        private final LineKeys ownKeys = keys.copy();
        private final KeyBuffer made = new KeyBuffer();
        private final byte[] window = new byte[WINDOW_BYTES];
        /// Where lines begin, and the last one ends, counted from `base`.
        private int[] starts = {};
        private long[] wideStarts = {};
        private long base;
        /// The lines that stay, counted from the first one.
        private int[] staying = {};
        private int stayingCount;

        void check(Strings lines, long first, int count, LineTally tally) {
            if (starts.length <= count) {
                starts = new int[count + 1];
                staying = new int[count];
            }
            stayingCount = 0;
            if (!copyStarts(lines, first, count)) {
                while (stayingCount < count) {
                    staying[stayingCount] = stayingCount++;
                }
                return;
            }
            int end = starts[count];
            int windowFrom = 0;
            int windowTo = -1;
            long droppedBytes = 0;
            for (int i = 0; i < count; i++) {
                int start = starts[i];
                int length = starts[i + 1] - 1 - start;
                boolean isLong = length > WINDOW_BYTES;
                int looked = isLong ? WINDOW_BYTES : length;
                if (start + looked > windowTo) {
                    windowFrom = start;
                    windowTo = (int) Math.min(end, (long) start + WINDOW_BYTES);
                    MemorySegment.copy(
                            lines.bytes(), ValueLayout.JAVA_BYTE, base + start, window, 0, windowTo - windowFrom);
                }
                if (stays(start - windowFrom, start - windowFrom + looked, isLong)) {
                    staying[stayingCount++] = i;
                } else {
                    droppedBytes += length + 1;
                }
            }
            tally.drop((long) count - stayingCount, droppedBytes);
        }

        /// @return false if the lines are too long together
        private boolean copyStarts(Strings lines, long first, int count) {
            if (lines.offsetType().equals(ElementType.INT)) {
                base = 0;
                MemorySegment.copy(lines.offsets(), ValueLayout.JAVA_INT, first * Integer.BYTES, starts, 0, count + 1);
                return true;
            }
            if (wideStarts.length <= count) {
                wideStarts = new long[count + 1];
            }
            MemorySegment.copy(lines.offsets(), ValueLayout.JAVA_LONG, first * Long.BYTES, wideStarts, 0, count + 1);
            base = wideStarts[0];
            for (int i = 0; i <= count; i++) {
                starts[i] = (int) (wideStarts[i] - base);
            }
            return wideStarts[count] - base <= Integer.MAX_VALUE;
        }

        /// @param isLong whether this is only the beginning of a line, which has more bytes than the boundary
        private boolean stays(int from, int to, boolean isLong) {
            if (boundary == null) {
                return false;
            }
            int order;
            if (keys.areLines()) {
                order = Arrays.compareUnsigned(window, from, to, boundary, 0, boundary.length);
            } else if (isLong) {
                return true;
            } else {
                made.clear();
                ownKeys.encode(window, from, to, made);
                order = Arrays.compareUnsigned(made.bytes(), 0, made.length(), boundary, 0, boundary.length);
            }
            return comesBefore(order) || (order == 0 && equalStay);
        }

        void keep(long first, Compaction compaction) {
            for (int i = 0; i < stayingCount; ) {
                int next = i + 1;
                while (next < stayingCount && staying[next] == staying[next - 1] + 1) {
                    next++;
                }
                compaction.keep(first + staying[i], first + staying[next - 1] + 1L);
                i = next;
            }
        }
    }
}
