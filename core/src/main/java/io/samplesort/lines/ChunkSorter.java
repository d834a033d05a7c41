package io.samplesort.lines;

import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;

/// Finds the order of strings. Equal strings come in the order of their indexes.
@FunctionalInterface
public interface ChunkSorter {
    /// @param permutation as long as there are strings; afterwards, entry i is the index of the string that comes i-th
    SortReport argsort(Strings strings, int[] permutation);
}
