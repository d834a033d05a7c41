package io.samplesort.lines.chunks;

import io.samplesort.lines.flow.CountText;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.LongLine;
import io.samplesort.lines.flow.OrderedBlocks;
import io.samplesort.lines.keys.ByteRange;
import io.samplesort.shared.LineKernels;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Copies the lines of a chunk in sorted order to blocks, with several threads, and hands the blocks on one after
/// another, or at the same time if they go to a file.
public final class LineGather {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    /// The places of this many lines are looked up before the first of them is copied, so that the memory works on many
    /// requests at a time.
    private static final int BATCH = 64;

    /// Copying longer lines word by word takes longer than calling what copies whole segments.
    private static final int LONGEST_BY_WORDS = 128;

    private static final int CACHE_LINE_BYTES = 64;

    private final int threads;
    private final boolean hasKernels;
    private final MemorySegment[] blocks;
    private final Queue<MemorySegment> freeBlocks = new ConcurrentLinkedQueue<>();

    public LineGather(MemoryShares shares, Arena arena) {
        this(shares, arena, LineKernels.areThere());
    }

    /// @param hasKernels whether to use kernels, which must be available
    LineGather(MemoryShares shares, Arena arena, boolean hasKernels) {
        this.hasKernels = hasKernels;
        this.threads = shares.threads();
        this.blocks = new MemorySegment[threads];
        for (int i = 0; i < threads; i++) {
            blocks[i] = arena.allocate(shares.blockBytes() + Chunk.SLACK_BYTES, Long.BYTES);
            freeBlocks.add(blocks[i]);
        }
    }

    /// Hands on lines in sorted order.
    ///
    /// @param lines       all of them with their terminators, followed by [Chunk#SLACK_BYTES]
    /// @param permutation an `int` for each line, the index of the one that comes i-th
    /// @param table       has the keys of the lines; null if they are their own keys
    /// @param isUnique    whether to hand on only those lines whose key is not that of the line before
    /// @param tally       counts the lines that are handed on and those that are left out
    public void write(
            Strings lines,
            MemorySegment permutation,
            LineKeyTable table,
            boolean isUnique,
            LineSink sink,
            LineTally tally)
            throws IOException {
        long count = permutation.byteSize() / Integer.BYTES;
        if (count == 0) {
            return;
        }
        long bytes = lines.start(count) - lines.start(0);
        forBlocks(count, bytes, (from, to, block, number, turns) -> {
            Block sorted = new Block(lines, permutation, table, isUnique, block, number, turns, sink);
            sorted.write(from, to);
            tally.handOn(sorted.handedLines, sorted.handedBytes);
            tally.drop(sorted.droppedLines, sorted.droppedBytes);
        });
    }

    /// Hands on the first one of equal lines in sorted order, behind their number.
    ///
    /// @param compared by which lines are equal: the lines or their keys
    /// @param sink     takes lines of any length
    public void count(Strings lines, MemorySegment permutation, Strings compared, LineSink sink, LineTally tally)
            throws IOException {
        long count = permutation.byteSize() / Integer.BYTES;
        if (count == 0) {
            return;
        }
        long bytes = lines.start(count) - lines.start(0) + count * CountText.USUAL_BYTES;
        forBlocks(count, bytes, (from, to, block, number, turns) -> {
            new CountedBlock(lines, compared, permutation, block, sink, number, turns, hasKernels)
                    .write(from, to, tally);
        });
    }

    /// Work on the lines at the places `from` to `to - 1` in sorted order.
    @FunctionalInterface
    private interface BlockWork {
        void on(int from, int to, MemorySegment block, long number, OrderedBlocks turns) throws IOException;
    }

    private void forBlocks(long count, long bytes, BlockWork work) throws IOException {
        long roomBytes = blocks[0].byteSize() - Chunk.SLACK_BYTES;
        // Most blocks have some room left, so that most of them are handed on as a whole.
        long linesOfBlock = Math.max(1, roomBytes * count / (bytes + bytes / 16 + 1));
        OrderedBlocks.run(threads, Math.ceilDiv(count, linesOfBlock), (number, turns) -> {
            MemorySegment block = freeBlocks.remove();
            int from = (int) (number * linesOfBlock);
            int to = (int) Math.min(count, from + linesOfBlock);
            work.on(from, to, block, number, turns);
            freeBlocks.add(block);
        });
    }

    /// The lines of one block.
    private final class Block {
        private final Strings lines;
        private final MemorySegment permutation;
        private final LineKeyTable table;
        private final Strings keys;
        private final boolean isUnique;
        private final MemorySegment block;
        private final long number;
        private final OrderedBlocks turns;
        private final LineSink sink;
        private final int[] numbers = new int[BATCH];
        private final long[] starts = new long[BATCH];
        private final long[] ends = new long[BATCH];
        private long length;
        private long handedLines;
        private long handedBytes;
        private long droppedLines;
        private long droppedBytes;
        /// Keeps the compiler from removing the reads.
        @SuppressWarnings("UnusedVariable")
        private volatile int touched;

        Block(
                Strings lines,
                MemorySegment permutation,
                LineKeyTable table,
                boolean isUnique,
                MemorySegment block,
                long number,
                OrderedBlocks turns,
                LineSink sink) {
            this.lines = lines;
            this.permutation = permutation;
            this.table = table;
            this.keys = table == null ? lines : table.strings();
            this.isUnique = isUnique;
            this.block = block;
            this.number = number;
            this.turns = turns;
            this.sink = sink;
        }

        void write(int from, int to) throws IOException {
            boolean mayHaveLong = sink.longestLine() == Long.MAX_VALUE;
            if (mayHaveLong && !isUnique && isConsecutive(from, to)) {
                long start = lines.start(line(from));
                long end = lines.start(line(to - 1) + 1L);
                handedLines += to - from;
                handedBytes += end - start;
                sink.end(lines.bytes().asSlice(start, end - start), number, turns);
                return;
            }
            if (hasKernels) {
                gather(from, to);
                sink.end(block.asSlice(0, length), number, turns);
                return;
            }
            for (int first = from; first < to; first += BATCH) {
                int batch = lookUp(first, Math.min(to, first + BATCH));
                touch(batch);
                copy(batch);
            }
            sink.end(block.asSlice(0, length), number, turns);
        }

        /// Returns whether these lines lie one after the other, as all lines of a sorted input do.
        private boolean isConsecutive(int from, int to) {
            int first = line(from) - from;
            if (line(to - 1) - (to - 1) != first) {
                return false;
            }
            if (hasKernels) {
                return LineKernels.isConsecutive(permutation, from, to);
            }
            for (int i = from; i < to; i++) {
                if (line(i) - i != first) {
                    return false;
                }
            }
            return true;
        }

        /// Copies the lines with kernels. Lines that are too long for the block are handed on one by one.
        private void gather(int from, int to) throws IOException {
            LineKernels.Copy copy = new LineKernels.Copy(lines, isUnique ? keys : null, permutation);
            long[] counted = new long[LineKernels.GATHER_FIELDS];
            long room = room();
            long longest = Math.min(room, sink.longestLine());
            int place = from;
            while (place < to) {
                int next = (int) copy.gather(place, to, block.asSlice(length), room - length, longest, counted);
                length += counted[0];
                handedLines += next - place - counted[1];
                handedBytes += counted[0];
                droppedLines += counted[1];
                droppedBytes += counted[2];
                place = next;
                if (place < to) {
                    handOn();
                    long start = lines.start(line(place));
                    long bytes = lines.start(line(place) + 1L) - start;
                    if (bytes > longest) {
                        turns.await(number);
                        handOn(line(place), lines.bytes().asSlice(start, bytes));
                        handedLines++;
                        handedBytes += bytes;
                        place++;
                    }
                }
            }
        }

        private long room() {
            return block.byteSize() - Chunk.SLACK_BYTES;
        }

        /// Finds the places of the lines that are to be copied.
        ///
        /// @return how many lines there are
        private int lookUp(int first, int end) {
            int wanted = 0;
            for (int i = first; i < end; i++) {
                int line = line(i);
                if (!isUnique || i == 0 || !isEqual(line, line(i - 1))) {
                    numbers[wanted] = line;
                    starts[wanted] = lines.start(line);
                    ends[wanted++] = lines.start(line + 1L);
                } else {
                    droppedLines++;
                    droppedBytes += lines.start(line + 1L) - lines.start(line);
                }
            }
            return wanted;
        }

        private int line(int place) {
            return permutation.getAtIndex(ValueLayout.JAVA_INT, place);
        }

        private boolean isEqual(int line, int other) {
            long from = keys.start(line);
            long to = keys.end(line);
            long otherFrom = keys.start(other);
            long otherTo = keys.end(other);
            return to - from == otherTo - otherFrom
                    && MemorySegment.mismatch(keys.bytes(), from, to, keys.bytes(), otherFrom, otherTo) < 0;
        }

        /// Reads a byte of each cache line that will be copied. Unlike copies, these reads do not wait for each other.
        private void touch(int count) {
            MemorySegment text = lines.bytes();
            int sum = 0;
            for (int i = 0; i < count; i++) {
                long end = Math.min(ends[i], starts[i] + LONGEST_BY_WORDS);
                for (long at = starts[i]; at < end; at += CACHE_LINE_BYTES) {
                    sum += text.get(ValueLayout.JAVA_BYTE, at);
                }
            }
            touched = sum;
        }

        private void copy(int count) throws IOException {
            MemorySegment text = lines.bytes();
            long room = room();
            long longest = Math.min(room, sink.longestLine());
            handedLines += count;
            for (int i = 0; i < count; i++) {
                long start = starts[i];
                long bytes = ends[i] - start;
                handedBytes += bytes;
                if (bytes > room - length || bytes > longest) {
                    handOn();
                    if (bytes > longest) {
                        turns.await(number);
                        handOn(numbers[i], text.asSlice(start, bytes));
                        continue;
                    }
                }
                if (bytes <= LONGEST_BY_WORDS) {
                    for (long at = 0; at < bytes; at += Long.BYTES) {
                        block.set(WORD, length + at, text.get(WORD, start + at));
                    }
                } else {
                    MemorySegment.copy(text, start, block, length, bytes);
                }
                length += bytes;
            }
        }

        /// Hands on a line that is too long for a block.
        private void handOn(int line, MemorySegment text) throws IOException {
            if (text.byteSize() <= sink.longestLine()) {
                sink.append(text);
            } else {
                ByteRange whole = ByteRange.of(text);
                ByteRange key = table == null ? null : table.key(line, whole.withoutLast());
                sink.append(new LongLine(whole, key), block);
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
}
