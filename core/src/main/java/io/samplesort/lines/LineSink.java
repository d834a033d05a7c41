package io.samplesort.lines;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Where sorted lines go.
@FunctionalInterface
interface LineSink {
    /// Takes whole lines, which come behind those that were taken before.
    void append(MemorySegment lines) throws IOException;
}
