package io.samplesort.lines.keys;

import io.samplesort.types.LineKey;
import io.samplesort.types.LineOrder;

/// Finds the part of a line that a key names.
final class Fields {
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

    private static int skipOthers(byte[] text, int at, int to) {
        int place = at;
        while (place < to && !isBlank(text[place])) {
            place++;
        }
        return place;
    }

    private static int find(byte[] text, int at, int to, byte separator) {
        int place = at;
        while (place < to && text[place] != separator) {
            place++;
        }
        return place;
    }

    /// Returns where the key begins in the line from `from` to `to`.
    static int begin(byte[] text, int from, int to, LineKey key, int separator) {
        int at = from;
        for (long field = 1; field < key.startField() && at < to; field++) {
            if (separator == LineOrder.BLANKS) {
                at = skipOthers(text, skipBlanks(text, at, to), to);
            } else {
                at = Math.min(to, find(text, at, to, (byte) separator) + 1);
            }
        }
        if (key.skipsBlanksAtStart()) {
            at = skipBlanks(text, at, to);
        }
        return (int) Math.min(to, at + Math.min(key.startByte() - 1, Integer.MAX_VALUE));
    }

    /// Returns where the key ends, which may be before its beginning.
    static int end(byte[] text, int from, int to, LineKey key, int separator) {
        if (key.endField() == 0) {
            return to;
        }
        boolean isWhole = key.endByte() == 0;
        long skipped = isWhole ? key.endField() : key.endField() - 1;
        int at = from;
        for (long field = 1; field <= skipped && at < to; field++) {
            if (separator == LineOrder.BLANKS) {
                at = skipOthers(text, skipBlanks(text, at, to), to);
            } else {
                at = find(text, at, to, (byte) separator);
                // The separator behind the last field does not belong to the key.
                if (at < to && (field < skipped || !isWhole)) {
                    at++;
                }
            }
        }
        if (isWhole) {
            return at;
        }
        if (key.skipsBlanksAtEnd()) {
            at = skipBlanks(text, at, to);
        }
        return (int) Math.min(to, at + Math.min(key.endByte(), Integer.MAX_VALUE));
    }
}
