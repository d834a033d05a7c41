package io.samplesort.disk;

import io.samplesort.memory.RunCuts;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongConsumer;

/// Sorted runs in files, from which buckets are cut.
public interface SortedParts extends RunCuts.Runs, Closeable {
    /// Reads the elements between two cuts, those of the first run first.
    ///
    /// @param columns room for exactly these elements
    /// @param moved   is called with the bytes of each piece
    void read(long[] from, long[] to, List<MemorySegment> columns, LongConsumer moved) throws IOException;
}
