package io.samplesort.cpu.select;

/// Tells which elements lie between two bounds. Each bound is an element, and of equal elements the one with the
/// smaller index comes first, so that no two elements are equal. Any number of threads may use a filter.
@FunctionalInterface
interface Filter {
    /// How many elements are filtered at a time, at most. They stay in the cache until those kept are copied.
    int GRAIN = 1 << 13;

    /// Filters the elements `from..to`, at most [#GRAIN].
    ///
    /// @param kept room for the place of each element between the bounds, counted from `from`, in ascending order
    /// @return how many elements lie below the lower bound, times 2^32, plus how many were kept. If there is no upper
    ///     bound, all elements that were not kept lie below the lower one, and need not be counted.
    long filter(long from, long to, int[] kept);
}
