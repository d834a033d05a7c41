package io.samplesort.lines.chunks;

import io.samplesort.lines.flow.OrderedBlocks;
import io.samplesort.lines.keys.ByteRange;
import io.samplesort.lines.keys.KeyBuffer;
import io.samplesort.lines.keys.KeySink;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.memory.LargeMemory;
import io.samplesort.types.ElementType;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The keys of the lines of a chunk, one after another. Several threads make them.
public final class LineKeyTable {
    /// Text goes through windows of this size, because Java compiles loops over arrays well at once. The keys of longer
    /// lines are made piece by piece.
    private static final int WINDOW_BYTES = 64 << 10;

    /// A thread collects no more than this and one key before it waits for its turn.
    private static final int MOST_HELD = 512 << 10;

    /// If the keys of a block are too long for the memory, a block with this many times fewer lines is tried.
    private static final int FEWER = 16;

    /// If lines have at least this many bytes on average, copying them into their keys takes longer than sorting them
    /// once more.
    private static final int LONG_LINES = 256;

    private final LineKeys keys;
    /// Null if keys do not end with the whole line.
    private final LineKeys withoutLine;
    private final MemoryShares shares;
    private final MemorySegment bytes;
    private final MemorySegment offsets;
    private final Queue<Maker> freeMakers = new ConcurrentLinkedQueue<>();

    /// What ends the key of each line in place of the line; null if the line itself does.
    private MemorySegment ranks;

    private Strings strings;

    private long room;
    private long filled;
    private long fitting;

    public LineKeyTable(LineKeys keys, MemoryShares shares, Chunk chunk, Arena arena) {
        this.keys = keys;
        this.withoutLine = keys.withoutLine();
        this.shares = shares;
        // The system provides only memory that is used.
        this.bytes = LargeMemory.allocate(
                shares.mostKeyBytes(chunk.textRoom(), chunk.lineRoom()) + Chunk.SLACK_BYTES, arena);
        this.offsets = LargeMemory.allocate((chunk.lineRoom() + 1) * Long.BYTES, arena);
    }

    /// Returns whether making the keys of a chunk is faster once its whole lines are sorted: then each key ends with
    /// the place of its line instead of the line.
    public boolean takesSorted(Chunk chunk) {
        return withoutLine != null && chunk.byteSize() / LONG_LINES >= Math.max(1, chunk.count());
    }

    /// Makes the keys of a chunk. If there is no room for all keys, the last lines are cut off the chunk; all lines, if
    /// there is no room for the key of the first one.
    ///
    /// @param areSorted whether the permutation of the chunk is that of its whole lines, in the order of the keys; it
    ///     is overwritten. Only if [#takesSorted] is true.
    public void encode(Chunk chunk, boolean areSorted) throws IOException {
        ranks = areSorted ? chunk.permutation() : null;
        if (areSorted) {
            Ranks.replace(ranks);
        }
        Strings lines = chunk.lines();
        long count = chunk.count();
        room = Math.min(
                bytes.byteSize() - Chunk.SLACK_BYTES,
                shares.keyBytes(chunk.byteSize(), count, lines.offsetType().byteSize()));
        offsets.set(ValueLayout.JAVA_LONG, 0, 0);
        long linesOfBlock = Math.max(1, shares.blockBytes() * count / (chunk.byteSize() + 1));
        encode(lines, linesOfBlock);
        while (fitting == 0 && linesOfBlock > 1) {
            linesOfBlock = Math.max(1, linesOfBlock / FEWER);
            encode(lines, linesOfBlock);
        }
        chunk.cut(fitting);
        strings = Strings.of(MemorySegment.NULL, MemorySegment.NULL, ElementType.LONG)
                .in(bytes, offsets.asSlice(0, (fitting + 1) * Long.BYTES));
    }

    /// Returns the strings that stand for the lines of the chunk whose keys were made last.
    public Strings strings() {
        return strings;
    }

    /// Returns the whole key of a line of that chunk, which can be compared with those of other chunks.
    ///
    /// @param text the line without its terminator
    ByteRange key(long line, ByteRange text) {
        long start = strings.start(line);
        long length = strings.end(line) - start;
        return ranks == null
                ? ByteRange.of(strings.bytes().asSlice(start, length))
                : ByteRange.of(strings.bytes().asSlice(start, length - Integer.BYTES))
                        .followedBy(text);
    }

    private void encode(Strings lines, long linesOfBlock) throws IOException {
        long count = lines.count();
        filled = 0;
        fitting = count;
        OrderedBlocks.run(shares.threads(), Math.ceilDiv(count, linesOfBlock), (number, turns) -> {
            Maker maker = freeMakers.poll();
            if (maker == null) {
                maker = new Maker();
            }
            long from = number * linesOfBlock;
            maker.make(lines, from, Math.min(count, from + linesOfBlock), number, turns);
            freeMakers.add(maker);
        });
    }

    /// Claims room for the next keys, in turn.
    ///
    /// @param first the first of their lines; if there is no room, this and all further lines are left to the next
    ///     chunk
    /// @return where the room begins; a negative number if there is none
    private long claim(long length, long first) {
        if (first > fitting || length > room - filled) {
            fitting = Math.min(fitting, first);
            return -1;
        }
        long base = filled;
        filled += length;
        return base;
    }

    /// Makes the keys of a block of lines.
    private final class Maker {
        private final LineKeys ownKeys = keys.copy();
        private final LineKeys ownWithoutLine = withoutLine == null ? null : withoutLine.copy();
        private final KeyBuffer made = new KeyBuffer();
        private int[] ends = new int[256];
        /// The first of the lines whose keys are made but not in the table yet.
        private long first;

        private int count;
        private byte[] window = new byte[WINDOW_BYTES];

        void make(Strings lines, long from, long to, long block, OrderedBlocks turns) throws IOException {
            LineKeys keysOfLine = ranks == null ? ownKeys : ownWithoutLine;
            made.clear();
            first = from;
            count = 0;
            if (ends.length < to - from) {
                ends = new int[(int) (to - from)];
            }
            long textEnd = lines.start(to);
            long windowFrom = 0;
            long windowTo = 0;
            for (long line = from; line < to; line++) {
                long start = lines.start(line);
                long end = lines.end(line);
                if (end - start > WINDOW_BYTES || made.length() > MOST_HELD) {
                    turns.await(block);
                    copyTo(claim(made.length(), first));
                }
                if (end - start > WINDOW_BYTES) {
                    makeLong(lines, line);
                    continue;
                }
                if (end > windowTo || line == from) {
                    windowFrom = start;
                    windowTo = Math.max(end, Math.min(textEnd, start + WINDOW_BYTES));
                    int bytes = (int) (windowTo - windowFrom);
                    MemorySegment.copy(lines.bytes(), ValueLayout.JAVA_BYTE, windowFrom, window, 0, bytes);
                }
                keysOfLine.encode(window, (int) (start - windowFrom), (int) (end - windowFrom), made);
                if (ranks != null) {
                    made.addInt(rank(line));
                }
                ends[count++] = made.length();
            }
            turns.await(block);
            long base = claim(made.length(), first);
            turns.pass(block);
            copyTo(base);
        }

        /// Makes the key of a long line in the table, in turn and after all others.
        private void makeLong(Strings lines, long line) throws IOException {
            long begin = filled;
            long start = lines.start(line);
            KeySink sink = (piece, from, to) -> {
                long base = claim((long) to - from, line);
                if (base >= 0) {
                    MemorySegment.copy(piece, from, bytes, ValueLayout.JAVA_BYTE, base, to - from);
                }
            };
            ByteRange text = ByteRange.of(lines.bytes().asSlice(start, lines.end(line) - start));
            if (ranks == null) {
                ownKeys.encode(text, sink);
            } else {
                ownWithoutLine.encode(text, sink);
                made.addInt(rank(line));
                sink.add(made.bytes(), 0, made.length());
                made.clear();
            }
            if (fitting <= line) {
                filled = begin;
            } else {
                offsets.setAtIndex(ValueLayout.JAVA_LONG, line + 1, filled);
            }
            first = line + 1;
        }

        private int rank(long line) {
            int rank = ranks.get(ValueLayout.JAVA_INT, line * Integer.BYTES);
            return keys.order().isReversed() ? ~rank : rank;
        }

        /// Copies the keys that are made to the table.
        ///
        /// @param base where they begin; a negative number if there is no room for them
        private void copyTo(long base) {
            if (base >= 0) {
                MemorySegment.copy(made.bytes(), 0, bytes, ValueLayout.JAVA_BYTE, base, made.length());
                for (int i = 0; i < count; i++) {
                    offsets.setAtIndex(ValueLayout.JAVA_LONG, first + 1 + i, base + ends[i]);
                }
            }
            made.clear();
            first += count;
            count = 0;
        }
    }
}
