package io.samplesort.lines.runs;

import java.nio.channels.FileChannel;

/// Sorted lines in a part of a temporary file.
///
/// @param channel   the file
/// @param from      where the first line begins
/// @param to        where the last one ends, or its key
/// @param marks     where some of the lines begin, from the first one on, in order; may be longer than needed
/// @param markCount how many these are
/// @param longLines the long lines, which are read where they lie, with their keys
public record LineRun(FileChannel channel, long from, long to, long[] marks, int markCount, LongLines longLines) {
    /// Returns the bytes of all lines.
    public long byteSize() {
        return to - from - longLines.keyBytes();
    }

    /// Returns where a marked line begins. The mark after the last one is the end of the run.
    public long mark(int index) {
        return index < markCount ? marks[index] : to;
    }
}
