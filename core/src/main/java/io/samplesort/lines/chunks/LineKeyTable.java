package io.samplesort.lines.chunks;

import io.samplesort.files.FileFailure;
import io.samplesort.lines.flow.Turns;
import io.samplesort.lines.keys.KeyBuffer;
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

/// The keys of the lines of a chunk, one behind another, which several threads make.
public final class LineKeyTable {
    private static final long LONGEST_LINE = 1L << 30;

    /// Where the keys of a block are too long for the memory, a block of so many times fewer lines is tried.
    private static final int FEWER = 16;

    private final LineKeys keys;
    private final MemoryShares shares;
    private final MemorySegment bytes;
    private final MemorySegment offsets;
    private final Queue<Maker> freeMakers = new ConcurrentLinkedQueue<>();

    private long room;
    private long filled;
    private long fitting;

    public LineKeyTable(LineKeys keys, MemoryShares shares, Chunk chunk, Arena arena) {
        this.keys = keys;
        this.shares = shares;
        // The system gives memory only where it is used.
        this.bytes = LargeMemory.allocate(
                shares.mostKeyBytes(chunk.textRoom(), chunk.lineRoom()) + Chunk.SLACK_BYTES, arena);
        this.offsets = LargeMemory.allocate((chunk.lineRoom() + 1) * Long.BYTES, arena);
    }

    /// Makes the keys of a chunk. If there is no room for all of them, the last lines are cut off the chunk.
    ///
    /// @throws FileFailure if there is no room for a single line
    public Strings encode(Chunk chunk) throws IOException {
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
        if (fitting == 0 && count > 0) {
            throw new FileFailure("the key of a line is too long for the memory: take more of it");
        }
        chunk.cut(fitting);
        return Strings.of(MemorySegment.NULL, MemorySegment.NULL, ElementType.LONG)
                .in(bytes, offsets.asSlice(0, (fitting + 1) * Long.BYTES));
    }

    private void encode(Strings lines, long linesOfBlock) throws IOException {
        long count = lines.count();
        filled = 0;
        fitting = count;
        Turns.run(shares.threads(), Math.ceilDiv(count, linesOfBlock), (number, turns) -> {
            Maker maker = freeMakers.poll();
            if (maker == null) {
                maker = new Maker(keys.copy());
            }
            long from = number * linesOfBlock;
            int made = maker.make(lines, from, Math.min(count, from + linesOfBlock));
            turns.await(number);
            long base = filled;
            boolean fits = fitting == count && made <= room - base;
            if (fits) {
                filled += made;
            } else {
                fitting = Math.min(fitting, from);
            }
            turns.pass(number);
            if (fits) {
                maker.copyTo(bytes, base, offsets, from + 1);
            }
            freeMakers.add(maker);
        });
    }

    /// Makes the keys of a block of lines.
    private static final class Maker {
        private static final int WINDOW_BYTES = 64 << 10;

        private final LineKeys keys;
        private final KeyBuffer made = new KeyBuffer();
        private int[] ends = new int[256];
        private int count;
        private byte[] window = new byte[WINDOW_BYTES];

        Maker(LineKeys keys) {
            this.keys = keys;
        }

        /// @return how many bytes the keys have
        int make(Strings lines, long from, long to) throws FileFailure {
            made.clear();
            count = (int) (to - from);
            if (ends.length < count) {
                ends = new int[count];
            }
            long textEnd = lines.start(to);
            long windowFrom = 0;
            long windowTo = 0;
            for (int i = 0; i < count; i++) {
                long start = lines.start(from + i);
                long end = lines.end(from + i);
                if (end > windowTo || i == 0) {
                    if (end - start > LONGEST_LINE) {
                        throw new FileFailure("a line of " + (end - start)
                                + " bytes is too long for keys: lines of up to " + LONGEST_LINE + " can have them");
                    }
                    windowFrom = start;
                    windowTo = Math.max(end, Math.min(textEnd, start + WINDOW_BYTES));
                    int bytes = (int) (windowTo - windowFrom);
                    if (window.length < bytes) {
                        window = new byte[bytes];
                    }
                    MemorySegment.copy(lines.bytes(), ValueLayout.JAVA_BYTE, windowFrom, window, 0, bytes);
                }
                keys.encode(window, (int) (start - windowFrom), (int) (end - windowFrom), made);
                ends[i] = made.length();
            }
            return made.length();
        }

        void copyTo(MemorySegment bytes, long base, MemorySegment offsets, long first) {
            MemorySegment.copy(made.bytes(), 0, bytes, ValueLayout.JAVA_BYTE, base, made.length());
            for (int i = 0; i < count; i++) {
                offsets.setAtIndex(ValueLayout.JAVA_LONG, first + i, base + ends[i]);
            }
        }
    }
}
