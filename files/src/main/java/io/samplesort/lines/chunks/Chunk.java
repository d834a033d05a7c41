package io.samplesort.lines.chunks;

import io.samplesort.lines.flow.LineScan;
import io.samplesort.lines.flow.LineSource;
import io.samplesort.lines.flow.LineSources;
import io.samplesort.lines.flow.OrderedBlocks;
import io.samplesort.lines.keys.ByteRange;
import io.samplesort.memory.LargeMemory;
import io.samplesort.types.ElementType;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// As many lines as fit in the memory, with the offset of each. All lines end with the terminator: a last line that
/// lacks it gets one.
public final class Chunk {
    /// How far code that reads whole words of text may read beyond its end.
    public static final int SLACK_BYTES = 64;

    private static final long MOST_LINES = Integer.MAX_VALUE - 64;
    private static final long SHORT_OFFSETS = Integer.MAX_VALUE - SLACK_BYTES;

    /// Lines of unknown length are given the remaining memory divided by this at a time.
    private static final int CAUTION = 2;

    /// The number of lines for each byte that is assumed before any line was seen.
    private static final double FIRST_DENSITY = 1.0 / 4;

    private static final int FIRST_BLOCKS = 8;

    private final MemoryShares shares;
    private final byte terminator;
    private final LongConsumer moved;
    private final MemorySegment text;
    private final MemorySegment offsets;
    private final MemorySegment permutation;
    private final boolean isWide;
    private final int lineBytes;
    private final long lineRoom;
    /// The scans that no thread is using.
    private final Queue<LineScan> scans = new ConcurrentLinkedQueue<>();

    /// How many bytes were read, of which those before the end of the last line are the chunk.
    private long filled;

    private long count;
    private long addedEnds;
    private boolean isOutOfRoom;

    /// @param mostBytes how much there is to read; may be more
    /// @param moved     is called with the bytes that were read, by several threads
    public Chunk(MemoryShares shares, byte terminator, long mostBytes, LongConsumer moved, Arena arena) {
        this.shares = shares;
        this.terminator = terminator;
        this.moved = moved;
        long textRoom = Math.min(mostBytes, (long) (shares.chunkBytes() / shares.bytesForByte()));
        this.isWide = textRoom > SHORT_OFFSETS;
        this.lineBytes = shares.bytesForLine(isWide ? Long.BYTES : Integer.BYTES);
        this.lineRoom = Math.min(
                Math.min(MOST_LINES, mostBytes),
                (long) (shares.chunkBytes() / (lineBytes + shares.bytesForByte())) + 1);
        // The system provides only memory that is used.
        this.text = LargeMemory.allocate(textRoom + SLACK_BYTES, arena);
        this.offsets = LargeMemory.allocate((lineRoom + 1) * (isWide ? Long.BYTES : Integer.BYTES), arena);
        this.permutation = LargeMemory.allocate(lineRoom * Integer.BYTES, arena);
        setOffset(0, 0);
    }

    /// Returns the lines with their terminators, which are not compared.
    public Strings lines() {
        ElementType type = isWide ? ElementType.LONG : ElementType.INT;
        return Strings.of(MemorySegment.NULL, MemorySegment.NULL, type)
                .withoutLast(1)
                .in(text, offsets.asSlice(0, (count + 1) * type.byteSize()));
    }

    /// Returns room for an `int` for each line, which holds their order once they are sorted.
    public MemorySegment permutation() {
        return permutation.asSlice(0, count * Integer.BYTES);
    }

    public long count() {
        return count;
    }

    /// Returns the bytes of all lines.
    public long byteSize() {
        return offset(count);
    }

    /// Returns how many last lines of inputs had no terminator and got one, in all chunks so far.
    public long addedEnds() {
        return addedEnds;
    }

    /// Returns whether these are the last lines of all inputs. An empty chunk does not mean the end: it may have had no
    /// room.
    public boolean isLast(LineSources sources) {
        return sources.current() == null && filled == byteSize();
    }

    /// Returns how many lines there may be at most.
    long lineRoom() {
        return lineRoom;
    }

    /// Returns how many bytes the lines may have at most.
    long textRoom() {
        return text.byteSize() - SLACK_BYTES;
    }

    /// Removes the last lines; the next chunk begins with them.
    void cut(long newCount) {
        count = newCount;
    }

    /// Reads the next lines: at least one, unless [#isLast] is true afterwards or the next line is too long for the
    /// memory, and [#passFirst] hands it on.
    ///
    /// @throws io.samplesort.disk.FileFailure if an input cannot be read
    public void fill(LineSources sources) throws IOException {
        begin();
        add(sources, Long.MAX_VALUE);
    }

    /// Leaves all lines behind. What was read after them comes first in the lines that [#add] adds.
    public void begin() {
        moveUp(0, byteSize());
    }

    /// Makes the first lines the only ones, and moves what was read after the last one up behind them.
    ///
    /// @param newCount how many lines; their text and their ends are in place
    /// @param oldBytes the bytes of all lines before
    void moveUp(long newCount, long oldBytes) {
        count = newCount;
        long begin = byteSize();
        MemorySegment.copy(text, oldBytes, text, begin, filled - oldBytes);
        filled += begin - oldBytes;
    }

    /// Returns how many bytes were read after the last line.
    public long restBytes() {
        return filled - byteSize();
    }

    /// Reads more lines behind those that the chunk has.
    ///
    /// @param mostBytes how much to read
    /// @return whether the memory has no room for so much
    /// @throws io.samplesort.disk.FileFailure if an input cannot be read
    public boolean add(LineSources sources, long mostBytes) throws IOException {
        long rest = restBytes();
        filled -= rest;
        isOutOfRoom = false;
        append(null, rest);
        long end = filled + Math.min(mostBytes, Long.MAX_VALUE - filled);
        for (LineSource source = sources.current(); source != null; source = sources.current()) {
            long length = Math.min(source.remaining(), Math.min(end - filled, nextLength()));
            if (length > 0) {
                append(source, length);
            }
            if (source.remaining() == 0) {
                if (text.byteSize() - SLACK_BYTES == filled || isOutOfRoom) {
                    break;
                }
                endLastLine();
                sources.skip();
            } else if (length <= 0) {
                break;
            }
        }
        long found = count;
        cutToMemory();
        return count < found || isOutOfRoom || (filled < end && sources.current() != null);
    }

    /// Hands on the first line, which is too long for the memory, in pieces with its terminator. The next chunk begins
    /// after it.
    ///
    /// @return how many bytes it has
    public long passFirst(LineSources sources, ByteRange.PieceSink sink) throws IOException {
        long passed = 0;
        while (!findFirst()) {
            if (filled > 0) {
                sink.accept(text.asSlice(0, filled));
                passed += filled;
            }
            LineSource source = sources.current();
            long length = Math.min(source.remaining(), Math.min(shares.readBytes(), textRoom()));
            filled = source.read(text.asSlice(0, length), moved);
            if (filled == 0) {
                text.set(ValueLayout.JAVA_BYTE, filled++, terminator);
                addedEnds++;
                sources.skip();
            }
        }
        sink.accept(text.asSlice(0, byteSize()));
        return passed + byteSize();
    }

    /// Makes the first line the only one of the chunk.
    ///
    /// @return whether its end was found
    private boolean findFirst() {
        LineScan scan = takeScan();
        for (long from = 0; from < filled && count == 0; from += shares.readBytes()) {
            if (scan.scan(text, from, Math.min(filled, from + shares.readBytes())) > 0) {
                scan.copyEnds(1, from, offsets, 1, isWide);
                count = 1;
            }
        }
        scans.add(scan);
        return count > 0;
    }

    private LineScan takeScan() {
        LineScan free = scans.poll();
        return free == null ? new LineScan(terminator) : free;
    }

    /// Returns how many bytes to read next; 0 if the chunk is full.
    private long nextLength() {
        long block = shares.readBytes();
        long textLeft = text.byteSize() - SLACK_BYTES - filled;
        double left = shares.chunkBytes() - cost(filled, count);
        double density = filled < block ? FIRST_DENSITY : (double) count / filled;
        long length = (long) (left / (shares.bytesForByte() + density * lineBytes));
        if (isOutOfRoom || textLeft <= 0 || (length < block && count > 0)) {
            return 0;
        }
        length = Math.max(block, length / CAUTION / block * block);
        if (filled < block) {
            length = Math.min(length, FIRST_BLOCKS * block);
        }
        return Math.min(textLeft, length);
    }

    private double cost(long textBytes, long lines) {
        return textBytes * shares.bytesForByte() + (double) lines * lineBytes;
    }

    /// Reads more bytes after those that the chunk has, and finds the ends of the lines in them.
    ///
    /// @param source null if they are in memory already
    private void append(LineSource source, long length) throws IOException {
        long base = filled;
        int block = shares.readBytes();
        if (source != null) {
            source.open();
        }
        boolean isFile = source != null && source.isFile();
        AtomicLong read = new AtomicLong();
        OrderedBlocks.run(shares.threads(), Math.ceilDiv(length, block), (number, turns) -> {
            long from = base + number * block;
            MemorySegment target = text.asSlice(from, Math.min(block, base + length - from));
            long bytes = target.byteSize();
            if (isFile) {
                source.readAhead(from - base, target, moved);
            } else if (source != null) {
                turns.await(number);
                bytes = source.read(target, moved);
            }
            LineScan scan = takeScan();
            int found = scan.scan(text, from, from + bytes);
            turns.await(number);
            read.addAndGet(bytes);
            long first = count;
            int fitting = (int) Math.min(found, lineRoom - first);
            isOutOfRoom |= fitting < found;
            count += fitting;
            turns.pass(number);
            scan.copyEnds(fitting, from, offsets, first + 1, isWide);
            scans.add(scan);
        });
        filled += read.get();
        if (isFile) {
            source.advance(length);
        }
    }

    /// Adds a terminator to the last line of an input, if it has none. If there is no room for it, the rest of the text
    /// is left to the next chunk.
    private void endLastLine() {
        if (filled > 0 && filled > byteSize() && text.get(ValueLayout.JAVA_BYTE, filled - 1) != terminator) {
            text.set(ValueLayout.JAVA_BYTE, filled++, terminator);
            addedEnds++;
            if (count < lineRoom) {
                setOffset(++count, filled);
            }
        }
    }

    /// Leaves lines to the next chunk if there are more lines, or shorter ones, than expected.
    private void cutToMemory() {
        if (cost(filled, count) <= shares.chunkBytes()) {
            return;
        }
        long fitting = 0;
        for (long step = Long.highestOneBit(Math.max(1, count)); step > 0; step /= 2) {
            long more = fitting + step;
            if (more <= count && cost(offset(more), more) <= shares.chunkBytes()) {
                fitting = more;
            }
        }
        count = fitting;
    }

    long offset(long line) {
        return isWide
                ? offsets.getAtIndex(ValueLayout.JAVA_LONG, line)
                : offsets.getAtIndex(ValueLayout.JAVA_INT, line);
    }

    void setOffset(long line, long offset) {
        if (isWide) {
            offsets.setAtIndex(ValueLayout.JAVA_LONG, line, offset);
        } else {
            offsets.setAtIndex(ValueLayout.JAVA_INT, line, (int) offset);
        }
    }
}
