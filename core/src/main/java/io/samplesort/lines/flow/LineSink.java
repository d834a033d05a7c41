package io.samplesort.lines.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Where sorted lines go.
@FunctionalInterface
public interface LineSink {
    /// Takes whole lines, which come behind those that were taken before.
    void append(MemorySegment lines) throws IOException;

    /// Takes the place of whole lines, which come behind those that were taken before. Any thread may write them there,
    /// while others write before and behind them.
    ///
    /// @return null if lines can only be appended
    default Place claim(long bytes) {
        return null;
    }

    /// Where claimed lines go.
    @FunctionalInterface
    interface Place {
        /// Writes as many bytes as were claimed.
        void write(MemorySegment lines) throws IOException;
    }
}
