package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LongLine;
import io.samplesort.lines.keys.ByteRange;
import java.lang.foreign.MemorySegment;

/// The key of a line, or the beginning of that of a long line.
///
/// @param line the line if it is a long one, else null
record HeldKey(byte[] bytes, int from, int to, LongLine line) {
    int length() {
        return to - from;
    }

    /// Returns the whole key.
    ByteRange whole() {
        return line == null ? ByteRange.of(MemorySegment.ofArray(bytes).asSlice(from, length())) : line.key();
    }

    long wholeLength() {
        return line == null ? length() : line.key().byteSize();
    }
}
