package io.samplesort.lines;

import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;

/// Finds the order of strings. Equal strings come in the order of their indexes.
@FunctionalInterface
public interface ChunkSorter {
    /// @param permutation an `int` for each string; afterwards, entry i is the index of the string that comes i-th
    SortReport argsort(Strings strings, MemorySegment permutation);
}
