package io.samplesort.lines.keys;

import io.samplesort.types.StringOrder;
import java.io.IOException;

/// Says what lines are compared by: which bytes stand for a line, such that comparing these as unsigned bytes, from
/// first to last or from last to first, is the order of the lines. Two threads must not use it at once; [#copy] makes
/// one for another thread.
public interface LineKeys {
    /// Returns whether the bytes of each line stand for it, without its terminator.
    boolean areLines();

    /// Returns how the bytes are compared.
    StringOrder order();

    /// Adds what stands for a line to a buffer.
    ///
    /// @param to where the line ends, without its terminator
    void encode(byte[] text, int from, int to, KeyBuffer key);

    /// Hands on the same bytes for a line that is too long to hold. Only pieces of its text and of its key are held,
    /// except for parts that are numbers or versions.
    ///
    /// @param line without its terminator
    /// @throws IOException if it cannot be read, or a part is too long to hold
    void encode(ByteRange line, KeySink sink) throws IOException;

    /// Returns how many bytes of keys are to be expected for each byte of lines; 0 if lines are their own keys.
    double keyShare();

    /// Returns these keys without the whole line at their end, for callers who put something shorter with the same
    /// order in its place; null if they do not end with the whole line, or are the line.
    LineKeys withoutLine();

    LineKeys copy();
}
