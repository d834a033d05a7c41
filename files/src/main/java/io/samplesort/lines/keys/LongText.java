package io.samplesort.lines.keys;

import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Reads a line that is too long to hold, through a window that moves.
final class LongText {
    /// Looks for something in an array, as the methods of [Fields] do.
    private interface Search {
        /// @return where it was found; `to` if nowhere
        int find(byte[] text, int at, int to);
    }

    static final int WINDOW_BYTES = 64 << 10;
    private static final int LONGEST_PART = 1 << 30;

    private final ByteRange line;
    private final long size;
    private final byte[] window;
    private long windowFrom;
    private int windowBytes;

    /// @param window [#WINDOW_BYTES], which another line may have used before
    LongText(ByteRange line, byte[] window) {
        this.line = line;
        this.size = line.byteSize();
        this.window = window;
    }

    /// Moves the window so that it begins with this byte, unless it has that already.
    private void load(long at) throws IOException {
        if (at < windowFrom || at >= windowFrom + windowBytes) {
            windowBytes = (int) Math.min(window.length, size - at);
            windowFrom = at;
            line.read(at, MemorySegment.ofArray(window).asSlice(0, windowBytes));
        }
    }

    private long find(long from, Search search) throws IOException {
        for (long at = from; at < size; ) {
            load(at);
            int found = search.find(window, (int) (at - windowFrom), windowBytes);
            at = windowFrom + found;
            if (found < windowBytes) {
                return at;
            }
        }
        return size;
    }

    void forEachPiece(long from, long to, KeySink sink) throws IOException {
        for (long at = from; at < to; ) {
            load(at);
            int end = (int) Math.min(windowBytes, to - windowFrom);
            sink.add(window, (int) (at - windowFrom), end);
            at = windowFrom + end;
        }
    }

    /// Returns a part of the line.
    ///
    /// @throws IOException if it is too long for an array
    byte[] part(long from, long to) throws IOException {
        if (to - from > LONGEST_PART) {
            throw new IOException("a number or version of " + (to - from) + " bytes is too long to be compared: up to "
                    + LONGEST_PART + " bytes can be. Compare it as text, or name a shorter part of the line (-k)");
        }
        byte[] part = new byte[(int) (to - from)];
        line.read(from, MemorySegment.ofArray(part));
        return part;
    }

    /// Returns the end of the number, or of the name of a month, that a part begins with: the place after the first
    /// blank that follows it.
    long numberEnd(long from, long to) throws IOException {
        long begin = find(from, (text, at, end) -> {
            int place = at;
            while (place < end && (text[place] == ' ' || (text[place] >= '\t' && text[place] <= '\r'))) {
                place++;
            }
            return place;
        });
        return Math.min(to, find(begin, Fields::skipOthers) + 1);
    }

    private long skipFields(long from, long fields, int separator) throws IOException {
        long at = from;
        for (long field = 0; field < fields && at < size; field++) {
            at = fieldEnd(at, separator);
            if (separator != LineOrder.BLANKS && at < size) {
                at++;
            }
        }
        return at;
    }

    private long fieldEnd(long from, int separator) throws IOException {
        return separator == LineOrder.BLANKS
                ? find(find(from, Fields::skipBlanks), Fields::skipOthers)
                : find(from, (text, at, to) -> Fields.find(text, at, to, (byte) separator));
    }

    /// Returns where the key begins, as [Fields#begin] does.
    long begin(LineKey key, int separator) throws IOException {
        long at = skipFields(0, key.startField() - 1, separator);
        if (key.skipsBlanksAtStart()) {
            at = find(at, Fields::skipBlanks);
        }
        return at + Math.min(key.startByte() - 1, size - at);
    }

    /// Returns where the key ends, as [Fields#end] does.
    long end(LineKey key, int separator) throws IOException {
        if (key.endField() == 0) {
            return size;
        }
        long at = skipFields(0, key.endField() - 1, separator);
        if (key.endByte() == 0) {
            return fieldEnd(at, separator);
        }
        if (key.skipsBlanksAtEnd()) {
            at = find(at, Fields::skipBlanks);
        }
        return at + Math.min(key.endByte(), size - at);
    }
}
