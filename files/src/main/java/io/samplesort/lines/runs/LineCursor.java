package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LineScan;
import io.samplesort.lines.flow.LongLine;
import io.samplesort.lines.keys.ByteRange;
import io.samplesort.lines.keys.KeyBuffer;
import io.samplesort.lines.keys.LineKeys;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Goes through lines one after another, with the key of each. For a long line, only the beginning of the key is held.
public final class LineCursor {
    /// The source of the lines.
    @FunctionalInterface
    public interface Input {
        /// Reads the next bytes.
        ///
        /// @return how many bytes; fewer than the segment has only at the end and before a long line
        long read(MemorySegment target) throws IOException;

        /// Goes to the next long line, when everything before it has been read.
        ///
        /// @return null at the end
        default LongLine nextLong() {
            return null;
        }
    }

    private static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;

    private Input input;
    private final LineKeys keys;
    private final byte terminator;
    private final long pattern;
    private final boolean areLines;
    private final boolean isReversed;
    private final KeyBuffer key = new KeyBuffer();

    private byte[] text;
    private int filled;
    private boolean isInputAtEnd;
    private int from;
    /// Where the line ends, without its terminator.
    private int to;
    private boolean isAtEnd;
    private long lineCount;
    private long byteCount;
    private int addedEnds;

    /// The line, if it is a long one.
    private LongLine longLine;

    /// The key, or the beginning of that of a long line.
    private byte[] keyBytes;

    private int keyFrom;
    private int keyTo;

    /// @param bufferBytes how much is read at a time; a longer line makes the buffer longer
    public LineCursor(Input input, LineKeys keys, byte terminator, int bufferBytes) {
        this.input = input;
        this.keys = keys;
        this.terminator = terminator;
        this.pattern = EACH_BYTE * Byte.toUnsignedLong(terminator);
        this.areLines = keys.areLines();
        this.isReversed = keys.order().isReversed();
        this.text = new byte[bufferBytes];
        this.from = 0;
        this.to = -1;
    }

    /// Begins with other lines, in the same buffers.
    void restart(Input otherInput) {
        input = otherInput;
        filled = 0;
        from = 0;
        to = -1;
        isInputAtEnd = false;
        isAtEnd = false;
        longLine = null;
        lineCount = 0;
        byteCount = 0;
        addedEnds = 0;
    }

    /// Goes to the next line.
    ///
    /// @return whether there is one
    public boolean next() throws IOException {
        longLine = null;
        from = to + 1;
        int found = find(from);
        if (found < 0) {
            found = findInMore();
            if (longLine != null) {
                takeLong();
                return true;
            }
            if (found < 0) {
                isAtEnd = true;
                return false;
            }
        }
        to = found;
        lineCount++;
        if (areLines) {
            keyBytes = text;
            keyFrom = from;
            keyTo = to;
        } else {
            key.clear();
            keys.encode(text, from, to, key);
            keyBytes = key.bytes();
            keyFrom = 0;
            keyTo = key.length();
        }
        return true;
    }

    /// Returns the place of the next terminator from `begin` on; a negative number if there is none.
    private int find(int begin) {
        int at = begin;
        for (; at <= filled - Long.BYTES; at += Long.BYTES) {
            long equal = LineScan.equalBytes((long) LITTLE.get(text, at), pattern);
            if (equal != 0) {
                return at + (Long.numberOfTrailingZeros(equal) >>> 3);
            }
        }
        for (; at < filled; at++) {
            if (text[at] == terminator) {
                return at;
            }
        }
        return -1;
    }

    private void takeLong() throws IOException {
        ByteRange key = longLine.key();
        lineCount++;
        byteCount += longLine.text().byteSize();
        keyBytes = text;
        keyFrom = 0;
        keyTo = (int) Math.min(text.length, key.byteSize());
        key.read(0, MemorySegment.ofArray(text).asSlice(0, keyTo));
        // The buffer has no lines.
        filled = 0;
        from = 0;
        to = -1;
    }

    /// Reads until the whole line that begins at `from` is in the buffer. The last line gets a terminator if it has
    /// none.
    ///
    /// @return a negative number at the end and for a long line
    private int findInMore() throws IOException {
        while (true) {
            int rest = filled - from;
            if (isInputAtEnd) {
                if (rest == 0) {
                    longLine = input.nextLong();
                    isInputAtEnd = longLine == null;
                    return -1;
                }
                if (filled == text.length) {
                    text = Arrays.copyOf(text, Math.addExact(filled, 1));
                }
                text[filled++] = terminator;
                addedEnds++;
                return filled - 1;
            }
            if (rest > text.length / 2) {
                text = Arrays.copyOfRange(text, from, from + (int) Math.min(2L * text.length, Integer.MAX_VALUE - 8));
            } else {
                System.arraycopy(text, from, text, 0, rest);
            }
            from = 0;
            filled = rest;
            if (rest == text.length) {
                throw new IOException("a line of more than " + rest + " bytes is too long to be compared with others");
            }
            MemorySegment target = MemorySegment.ofArray(text).asSlice(rest);
            long read = input.read(target);
            isInputAtEnd = read < target.byteSize();
            filled += (int) read;
            byteCount += read;
            int found = find(rest);
            if (found >= 0) {
                return found;
            }
        }
    }

    /// Returns how many lines it has passed, the current one included.
    long lineCount() {
        return lineCount;
    }

    /// Returns how many bytes were read, including the terminator that the last line got if it had none.
    long byteCount() {
        return byteCount + addedEnds;
    }

    /// Returns 1 if the last line had no terminator and got one, else 0.
    public int addedEnds() {
        return addedEnds;
    }

    boolean isAtEnd() {
        return isAtEnd;
    }

    /// Returns the line if it is a long one, which [#text] does not have; else null.
    LongLine longLine() {
        return longLine;
    }

    /// Returns the bytes of the line with its terminator.
    long lineBytes() {
        return longLine == null ? to - from + 1 : longLine.text().byteSize();
    }

    /// Returns the array in which the line is from [#from] to [#to], followed by its terminator.
    public byte[] text() {
        return text;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /// Returns the array in which the key is, or the beginning of the key of a long line.
    public byte[] keyBytes() {
        return keyBytes;
    }

    public int keyFrom() {
        return keyFrom;
    }

    public int keyTo() {
        return keyTo;
    }

    /// Returns eight bytes of the key as a number whose unsigned order is that of the keys, as far as these bytes
    /// decide it. Bytes beyond the end count as 0.
    ///
    /// @param depth how many bytes of the key come before these
    long prefix(int depth) {
        int begin = keyFrom + depth;
        int left = keyTo - begin;
        long word;
        if (left >= Long.BYTES) {
            word = (long) BIG.get(keyBytes, begin);
        } else if (left <= 0) {
            word = 0;
        } else if (keyBytes.length - begin >= Long.BYTES) {
            word = (long) BIG.get(keyBytes, begin) & (-1L << (Long.SIZE - left * Byte.SIZE));
        } else {
            word = 0;
            for (int i = 0; i < left; i++) {
                word |= Byte.toUnsignedLong(keyBytes[begin + i]) << (Long.SIZE - Byte.SIZE - i * Byte.SIZE);
            }
        }
        return isReversed ? ~word : word;
    }

    /// Compares the keys of two lines.
    ///
    /// @param common how many bytes are known to be the same; may be more than one of the keys has
    int compare(LineCursor other, int common, RangeComparison ranges) throws IOException {
        boolean isLong = keyTo - keyFrom >= common && other.keyTo - other.keyFrom >= common;
        int skipped = isLong ? common : 0;
        int ascending = longLine == null && other.longLine == null
                ? Arrays.compareUnsigned(
                        keyBytes, keyFrom + skipped, keyTo, other.keyBytes, other.keyFrom + skipped, other.keyTo)
                : ranges.compare(heldKey(), other.heldKey(), skipped);
        return isReversed ? -ascending : ascending;
    }

    /// Returns the key, which stays until the cursor goes on.
    HeldKey heldKey() {
        return new HeldKey(keyBytes, keyFrom, keyTo, longLine);
    }

    /// Compares the key with another one, which is shorter than the buffer.
    public int compare(byte[] otherBytes, int otherFrom, int otherTo) {
        int ascending = Arrays.compareUnsigned(keyBytes, keyFrom, keyTo, otherBytes, otherFrom, otherTo);
        return isReversed ? -ascending : ascending;
    }
}
