package io.samplesort.cpu.segments;

/// What threads do with the segments of one array. A segment has the elements `from..to`.
interface SegmentWork {
    /// Returns the most elements of a short segment.
    ///
    /// @param share the elements of all segments, divided by a few times the number of threads
    long shortLimit(long share);

    /// Sorts a long segment by all threads.
    void sortByAll(long from, long to);

    /// Sorts a segment that is not short by the calling thread.
    void sortByOne(long from, long to);

    /// Sorts short segments that lie one after the other, by the calling thread.
    ///
    /// @param first the first of these segments
    /// @param end   the one behind the last
    void sortShort(long first, long end);
}
