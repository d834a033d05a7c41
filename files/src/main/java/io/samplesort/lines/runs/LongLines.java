package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LongLine;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/// Where the long lines of a run lie in its file, in their order. A line is followed by its key, unless the line is its
/// own key, and then by whatever comes next in the run.
public final class LongLines {
    private static final int FIELDS = 3;
    private static final int TEXT_END = 1;
    private static final int KEY_END = 2;

    private long[] places = new long[4 * FIELDS];
    private int count;
    private long keyBytes;

    /// Adds a line after all others.
    ///
    /// @param keyEnd where its key ends; the same as `textEnd` if the line is its own key
    void add(long start, long textEnd, long keyEnd) {
        int at = count * FIELDS;
        if (at == places.length) {
            places = Arrays.copyOf(places, 2 * at);
        }
        places[at] = start;
        places[at + TEXT_END] = textEnd;
        places[at + KEY_END] = keyEnd;
        keyBytes += keyEnd - textEnd;
        count++;
    }

    /// Returns how many bytes the keys of all lines take.
    long keyBytes() {
        return keyBytes;
    }

    /// Returns the number of the first line that begins at a position or after it.
    int firstFrom(long position) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (places[middle * FIELDS] < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Returns where a line begins; greater than any position for a number beyond the last one.
    long start(int number) {
        return number < count ? places[number * FIELDS] : Long.MAX_VALUE;
    }

    /// Returns where the run goes on after a line.
    long end(int number) {
        return places[number * FIELDS + KEY_END];
    }

    LongLine line(int number, FileChannel channel) {
        int at = number * FIELDS;
        long textEnd = places[at + TEXT_END];
        long keyEnd = places[at + KEY_END];
        FileRange key = keyEnd == textEnd ? null : new FileRange(channel, textEnd, keyEnd);
        return new LongLine(new FileRange(channel, places[at], textEnd), key);
    }
}
