package io.samplesort.external;

import io.samplesort.shared.ElementFilter;
import io.samplesort.shared.FileSorters;
import io.samplesort.types.ElementCost;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/// The sorter that sorts the parts (chunks and buckets) of an external sort in memory.
public interface PartSorter {
    /// Returns the types of the columns: first of the keys, then of the payloads.
    List<ElementType> columnTypes();

    /// Returns how keys compare; each is a segment of exactly one key.
    Comparator<MemorySegment> comparator();

    /// Returns the host memory that a sort of `count` elements takes for each of them.
    ElementCost cost(long count);

    /// Sorts the keys in place and moves element i of each column of payloads along with key i.
    ///
    /// @param finished is called now and then with the number of elements at the front that are final, which the sort
    ///     does not touch any more. This number never falls. Calls come one at a time, from the threads of the sort;
    ///     there may be none. An exception that it throws ends the sort.
    SortReport sort(MemorySegment keys, List<MemorySegment> payloads, LongConsumer finished);

    /// Returns what merges sorted pieces of elements without payloads; the caller closes it.
    FileSorters.Merger merger();

    /// Returns what picks the keys that come before one of them or, for the last keys, those that do not.
    ElementFilter filter(boolean takesLast);

    /// Returns whether no key comes before its left neighbour. Another thread may call this during a sort.
    boolean isSorted(MemorySegment keys);
}
