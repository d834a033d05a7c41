package io.samplesort.gpu.sorted;

import static io.samplesort.gpu.code.KernelConstants.QUERY_TILE;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.IndexedColumns;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A search for the places of many queries among sorted elements in device memory.
///
/// Queries that are in order find their elements in the cache. So many queries that are in no order are sorted first,
/// by index, if the elements do not fit the cache either and there is memory for that. The others search directly.
public final class DeviceBounds {
    /// Fewer queries or elements do not pay for a sort of the queries. This is an estimate: a search of 2^22 elements
    /// reads half of its steps from memory.
    public static final long FEWEST_SORTED = 1L << 22;

    private static final String WHAT = "searching for %d elements";

    private final DeviceSort sort;
    private final Stream stream;
    private final PhaseTimer timer;
    private final long fewestSorted;
    private long extraBytes;

    /// @param sort         of such elements by index
    /// @param fewestSorted how many queries and elements there must be, at least, for the queries to be sorted
    public DeviceBounds(DeviceSort sort, Stream stream, PhaseTimer timer, long fewestSorted) {
        this.sort = sort;
        this.stream = stream;
        this.timer = timer;
        this.fewestSorted = fewestSorted;
    }

    /// Returns the most device memory that was taken.
    public long extraBytes() {
        return extraBytes;
    }

    /// Puts the search on the stream. It waits once for the device if there are many queries.
    ///
    /// @param told       pinned memory for a long
    /// @param elements   device address of `count` sorted elements
    /// @param queries    device address of `queryCount` elements in any order
    /// @param bounds     device address of room for a number for each query
    /// @param boundBytes bytes of such a number, 4 or 8
    /// @param isUpper    whether elements that are equal to the query count
    public void enqueue(
            MemorySegment told,
            long elements,
            long count,
            long queries,
            long queryCount,
            long bounds,
            int boundBytes,
            boolean isUpper) {
        if (queryCount == 0) {
            return;
        }
        long[] search = {elements, count, queries, queryCount, bounds, boundBytes, isUpper ? 1 : 0};
        if (!isLarge(count, queryCount)
                || areSorted(told, queries, queryCount)
                || !searchSorted(search, queries, queryCount)) {
            search("find_bounds", search);
        }
        timer.end();
    }

    private boolean isLarge(long count, long queryCount) {
        return Math.min(count, queryCount) >= fewestSorted && queryCount <= IndexedColumns.MAX_COUNT;
    }

    private boolean areSorted(MemorySegment told, long queries, long queryCount) {
        timer.phase("check_elements");
        try (DeviceAllocation wrong = SortedTiles.allocate(WHAT, sort, stream, queryCount, Long.BYTES, 0)) {
            stream.fill(wrong.address(), (byte) 0, Long.BYTES);
            sort.kernels().indexed().checkOrder(stream, queries, sort.columnBytes()[0], queryCount, wrong.address());
            stream.copyToHost(told, wrong.address(), Long.BYTES);
            stream.synchronize();
            return told.get(ValueLayout.JAVA_LONG, 0) == 0;
        }
    }

    /// Sorts the queries and searches them. Returns false if there is no memory for that; in that case nothing has been
    /// written.
    private boolean searchSorted(long[] search, long queries, long queryCount) {
        long keyBytes = sort.keyBytes(queryCount);
        long free = sort.strategies().freeBytes();
        SortStrategy strategy = keyBytes < free ? sort.strategies().within(queryCount, free - keyBytes) : null;
        if (strategy == null) {
            return false;
        }
        try (DeviceAllocation keys = SortedTiles.allocate(WHAT, sort, stream, queryCount, keyBytes, 0)) {
            extraBytes = keyBytes + strategy.byteSize();
            sort.enqueueSortKeys(stream, strategy, queries, keys.address(), timer);
            search[2] = keys.address();
            search("find_indexed_bounds", search);
        }
        return true;
    }

    private void search(String kernel, long[] search) {
        timer.phase(kernel);
        sort.kernels().of(kernel).values(search).launchInWaves(stream, Math.ceilDiv(search[3], (long) QUERY_TILE));
    }
}
