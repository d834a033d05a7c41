package io.samplesort.lines.flow;

import io.samplesort.lines.keys.ByteRange;

/// A line that is too long to be copied without need.
///
/// @param text   the line with its terminator
/// @param ownKey what stands for the line in comparisons; null if that is the text without its terminator
public record LongLine(ByteRange text, ByteRange ownKey) {
    /// Longer lines go to sorted runs as long ones. Buffers for reading runs have room for two lines of this size,
    /// unless the memory is very small.
    public static final int LONGEST_SHORT = 16 << 10;

    /// Returns what stands for the line in comparisons.
    public ByteRange key() {
        return ownKey == null ? text.withoutLast() : ownKey;
    }
}
