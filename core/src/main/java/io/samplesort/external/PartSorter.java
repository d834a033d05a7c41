package io.samplesort.external;

import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;

/// Whoever sorts the parts of a file in memory.
public interface PartSorter {
    /// The types of the columns: of the keys, then of the payloads.
    List<ElementType> columnTypes();

    /// How keys compare, each a segment of exactly one key.
    Comparator<MemorySegment> comparator();

    /// The host memory that a sort of `count` elements takes for each of them.
    ElementCost cost(long count);

    /// Sorts the keys in place and moves element i of each column of payloads along with key i.
    SortReport sort(MemorySegment keys, MemorySegment... payloads);
}
