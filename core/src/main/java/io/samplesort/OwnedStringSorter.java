package io.samplesort;

import io.samplesort.shared.LineSorters.LineSorter;
import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;

/// Sorts strings in memory that belongs to the caller alone, without checks.
record OwnedStringSorter(StringSorter sorter) implements LineSorter {
    @Override
    public SortReport argsort(Strings strings, MemorySegment permutation) {
        return sorter.argsortOwned(strings, permutation);
    }

    @Override
    public void close() {
        sorter.close();
    }
}
