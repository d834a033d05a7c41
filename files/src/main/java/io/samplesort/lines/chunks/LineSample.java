package io.samplesort.lines.chunks;

import io.samplesort.lines.flow.LineCut;
import io.samplesort.lines.keys.KeyBuffer;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.types.Strings;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;

/// Estimates a boundary of the wanted ones of some lines from a few of them. If as many of these as are wanted come
/// before a line, that line is not wanted. So most lines are left out unsorted even if each comes before all that were
/// read before, as in a log of which the newest lines are wanted.
final class LineSample {
    private static final int LEAST_LINES = 256;

    /// For each line that is wanted, this many are looked at.
    private static final int LINES_OF_WANTED = 16;

    /// Looking at more lines than one of this many would take longer than it saves.
    private static final int ONE_OF = 16;

    private LineSample() {}

    /// Returns the key of a line such that as many lines as are wanted, all of them different, come before it or are
    /// that line; null if too many are wanted for a sample, or too few differ.
    ///
    /// @param from        the first of the lines
    /// @param longestLine longer lines are not looked at
    static byte[] boundary(Strings lines, long from, LineKeys keys, LineCut cut, int longestLine) {
        long count = lines.count() - from;
        if (cut.count() == 0 || cut.count() > count / ONE_OF / LINES_OF_WANTED) {
            return null;
        }
        long looked = Math.min(count / ONE_OF, Math.max(LEAST_LINES, LINES_OF_WANTED * cut.count()));
        long stride = count / looked;
        Comparator<byte[]> order = Arrays::compareUnsigned;
        TreeSet<byte[]> found = new TreeSet<>(cut.isLast() == keys.order().isReversed() ? order : order.reversed());
        KeyBuffer key = new KeyBuffer();
        for (long i = 0; i < looked; i++) {
            long line = from + i * stride;
            if (lines.end(line) - lines.start(line) <= longestLine) {
                byte[] text = lines.get(line);
                key.clear();
                keys.encode(text, 0, text.length, key);
                found.add(Arrays.copyOf(key.bytes(), key.length()));
            }
            if (found.size() > cut.count()) {
                found.pollLast();
            }
        }
        return found.size() == cut.count() ? found.last() : null;
    }
}
