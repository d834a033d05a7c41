package io.samplesort.cpu.sorted;

import java.lang.foreign.MemorySegment;

/// Finds the bounds of queries of any type. While queries are in order, each is looked for near the one before it.
///
/// @param count how many keys there are
record BoundSearch(
        KeyOrder order, MemorySegment keys, long count, MemorySegment queries, Numbers bounds, boolean isUpper) {
    void search(long from, long to) {
        long last = 0;
        for (long query = from; query < to; query++) {
            boolean isAfter = query > from && order.compare(queries, query - 1, queries, query) <= 0;
            last = isAfter
                    ? order.boundFrom(keys, last, count, queries, query, isUpper)
                    : order.bound(keys, 0, count, queries, query, isUpper);
            bounds.set(query, last);
        }
    }
}
