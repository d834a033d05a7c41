package io.samplesort.lines.keys;

import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Finds the part of a line that a key names.
final class Fields {
    private static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long LOW_BITS = 0x7f * EACH_BYTE;
    private static final long EACH_SPACE = ' ' * EACH_BYTE;
    private static final long EACH_TAB = '\t' * EACH_BYTE;
    private static final long EACH_FEED = '\n' * EACH_BYTE;
    private static final long HIGH_BIT = 0x80;

    private Fields() {}

    static boolean isBlank(byte value) {
        return value == ' ' || value == '\t' || value == '\n';
    }

    /// Returns the first place from `at` on that is not blank; `to` if there is none.
    static int skipBlanks(byte[] text, int at, int to) {
        int place = at;
        while (place < to && isBlank(text[place])) {
            place++;
        }
        return place;
    }

    /// Returns the first place from `at` on that is blank; `to` if there is none.
    static int skipOthers(byte[] text, int at, int to) {
        int place = at;
        while (place < to && !isBlank(text[place])) {
            place++;
        }
        return place;
    }

    /// Returns the first place from `at` on with this byte; `to` if there is none.
    static int find(byte[] text, int at, int to, byte value) {
        int place = at;
        while (place < to && text[place] != value) {
            place++;
        }
        return place;
    }

    /// Returns where the line goes on after this many fields, and after the separator of the last of them. Lines with
    /// hundreds of fields are usual, so this looks at eight bytes at a time.
    static int skip(byte[] text, int from, int to, long fields, int separator) {
        if (fields == 0) {
            return from;
        }
        boolean isByBlanks = separator == LineOrder.BLANKS;
        long pattern = (separator & 0xff) * EACH_BYTE;
        long left = fields;
        // A blank ends a field if the byte before it is not a blank.
        long before = HIGH_BIT;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = (long) LITTLE.get(text, at);
            long ends;
            if (isByBlanks) {
                long blanks = equalBytes(word, EACH_SPACE) | equalBytes(word, EACH_TAB) | equalBytes(word, EACH_FEED);
                ends = blanks & ~(blanks << Byte.SIZE | before);
                before = blanks >>> (Long.SIZE - Byte.SIZE);
            } else {
                ends = equalBytes(word, pattern);
            }
            int found = Long.bitCount(ends);
            if (found >= left) {
                for (; left > 1; left--) {
                    ends &= ends - 1;
                }
                int place = at + Long.numberOfTrailingZeros(ends) / Byte.SIZE;
                return isByBlanks ? place : place + 1;
            }
            left -= found;
        }
        for (; at < to; at++) {
            boolean isEnd = isByBlanks ? isBlank(text[at]) && before == 0 : text[at] == (byte) separator;
            if (isEnd && --left == 0) {
                return isByBlanks ? at : at + 1;
            }
            before = isBlank(text[at]) ? HIGH_BIT : 0;
        }
        return to;
    }

    /// Returns a word in which exactly those bytes are not 0, but 0x80, that are the same in both words.
    private static long equalBytes(long word, long pattern) {
        long different = word ^ pattern;
        return ~(((different & LOW_BITS) + LOW_BITS) | different | LOW_BITS);
    }

    private static int fieldEnd(byte[] text, int at, int to, int separator) {
        return separator == LineOrder.BLANKS
                ? skipOthers(text, skipBlanks(text, at, to), to)
                : find(text, at, to, (byte) separator);
    }

    /// Returns where the key begins in a line.
    ///
    /// @param at where its first field begins
    static int begin(byte[] text, int at, int to, LineKey key) {
        int from = key.skipsBlanksAtStart() ? skipBlanks(text, at, to) : at;
        return from + (int) Math.min(to - from, key.startByte() - 1);
    }

    /// Returns where the key ends, which may be before its beginning.
    ///
    /// @param from  where a field begins that does not come after the last one of the key
    /// @param field the number of that field
    static int end(byte[] text, int from, int to, long field, LineKey key, int separator) {
        if (key.endField() == 0) {
            return to;
        }
        int at = skip(text, from, to, key.endField() - field, separator);
        if (key.endByte() == 0) {
            return fieldEnd(text, at, to, separator);
        }
        if (key.skipsBlanksAtEnd()) {
            at = skipBlanks(text, at, to);
        }
        return at + (int) Math.min(to - at, key.endByte());
    }
}
