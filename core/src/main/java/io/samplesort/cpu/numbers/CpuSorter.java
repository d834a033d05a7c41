package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.LeafSort;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Helpers;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.ArrayRange;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/// Sorts keys, or keys and their payload, on the CPU: an in-place parallel sample sort.
///
/// Keys of 4 and 8 bytes, and pairs of such a key and such a payload, are sorted by native kernels where they lie, if
/// these can be called ([KernelSort]). Otherwise a distribution pass divides the input into 256 buckets in place, and
/// further passes divide the buckets, until a bucket fits a worker's buffer, where a [io.samplesort.cpu.leaf.LeafSort]
/// finishes it. Keys of 1 and 2 bytes without payload are counted. Elements with equal keys may come in any order.
///
/// The extra memory is all on the heap and kept for the next sort: for each thread about 2 MiB for keys, or 4 MiB for
/// pairs whose key or payload has 8 bytes, and for all threads together 0.3% of the input. A sort by kernels may take a
/// copy of few keys instead, if there is enough heap.
///
/// All memory is allocated before the first element moves, so an [OutOfMemoryError] leaves the input as it was. A
/// sorter is not for use by two threads at once.
public final class CpuSorter implements AutoCloseable {
    /// One thread counts keys, or sorts ints by SIMD instructions, in a quarter of the time that other keys take.
    private static final int FAST_SOLO = 4;

    private final ElementType key;
    private final ElementType payload;
    private final NaturalOrder order;
    private final CpuTuning tuning;
    private final int parallelism;
    /// Null for the helpers that all sorters share.
    private final Helpers ownHelpers;

    /// Null until a sort needs it: loading its classes would slow down the first sort of a process.
    private LaneSort laneSort;

    private final SpareMemory spare = new SpareMemory();
    /// The name in reports for the number of threads of the last sort.
    private String device;

    private int deviceThreads;

    /// Makes a sorter on all cores, with the helpers that all sorters share.
    ///
    /// @param key     the type of the keys
    /// @param payload the type of the payload; null for none
    /// @param order   the order of the keys
    /// @throws IllegalArgumentException if keys of that type cannot be compared by `order`
    public CpuSorter(ElementType key, ElementType payload, Order order) {
        this(key, payload, order, CpuTuning.DEFAULT, Helpers.commonParallelism());
    }

    /// Makes a sorter with the tuning of all sorters, that divides its work among this many threads.
    public CpuSorter(ElementType key, ElementType payload, Order order, int parallelism) {
        this(key, payload, order, CpuTuning.DEFAULT, parallelism);
    }

    /// Makes a sorter that divides its work among this many threads, as far as helpers are free.
    ///
    /// @param parallelism how many threads work on a sort; 1 for the calling thread alone
    /// @throws IllegalArgumentException if keys of that type cannot be compared by `order`, or `parallelism` is not
    ///     positive
    public CpuSorter(ElementType key, ElementType payload, Order order, CpuTuning tuning, int parallelism) {
        this(key, payload, order, tuning, parallelism, null);
    }

    /// @param ownHelpers shut down when this sorter is closed; null for the helpers that all sorters share
    CpuSorter(
            ElementType key, ElementType payload, Order order, CpuTuning tuning, int parallelism, Helpers ownHelpers) {
        if (parallelism < 1) {
            throw new IllegalArgumentException("parallelism " + parallelism + ": must be 1 or more");
        }
        order.checkApplicableTo(key);
        this.key = key;
        this.payload = payload;
        // A switch over classes would take several milliseconds in the first sort of a process.
        if (!(order instanceof NaturalOrder natural)) {
            throw new IllegalArgumentException("CpuSorter does not know the order " + order
                    + ": it sorts primitive keys in natural order, and IndexedCpuSorter everything else");
        }
        this.order = natural;
        this.tuning = tuning;
        this.parallelism = parallelism;
        this.ownHelpers = ownHelpers;
    }

    /// Returns which SIMD instructions numbers are sorted with in this process, or why there are none, for users.
    public static String simdInWords() {
        return LeafSort.simdInWords();
    }

    /// Begins to load what sorts fast on this processor, for callers who have something else to do before they sort.
    public static void load() {
        SimdKeys.load();
    }

    /// Sorts as [#sort(MemorySegment, MemorySegment, LongConsumer)] does. Kernels work on the array itself.
    public SortReport sort(ArrayRange array) {
        if (payload == null
                && array.count() <= FAST_SOLO * tuning.sequentialLimit()
                && DirectSort.isNatural(key, order)) {
            SortReport report = DirectSort.trySort(array.array(), array.from(), array.to());
            if (report != null) {
                return report;
            }
        }
        return sortTried(array);
    }

    /// Does the same for elements that [DirectSort#trySort] has left as they were.
    public SortReport sortTried(ArrayRange array) {
        SimdKeys simdKeys = array.count() > tuning.sequentialLimit()
                ? KernelSort.keys(array, simdType(), order.isReversed())
                : null;
        if (simdKeys != null) {
            try (Crew crew = crew(parallelism)) {
                SortReport report = sortByKernels(simdKeys, crew, array.count(), new PhaseTimes(), null, true);
                if (report != null) {
                    return report;
                }
            }
        }
        return sort(array.segment(), null, null);
    }

    /// Sorts `keys`, and `payload` along with it, and takes no memory for a copy of many of them.
    ///
    /// @param keys    a heap, native or mapped segment; if only the calling thread may access it, this thread sorts it
    ///     alone
    /// @param payload as many elements; null if the sorter was built without payload
    /// @throws OutOfMemoryError if there is too little heap; nothing has been moved in that case
    public SortReport sort(MemorySegment keys, MemorySegment payload) {
        return sort(keys, payload, null, false);
    }

    /// Sorts as [#sort(MemorySegment, MemorySegment)] does, and reports meanwhile how far the result is final.
    ///
    /// @param finished is called with the number of elements at the front that are final, which this sort does not
    ///     touch any more. This number never falls. Calls come one at a time, from the threads of the sort; there may
    ///     be none. An exception that it throws ends the sort and leaves the elements in any order. If it is null, an
    ///     input of a few sorted runs is merged, which takes as much native memory again, if there is enough.
    public SortReport sort(MemorySegment keys, MemorySegment payload, LongConsumer finished) {
        return sort(keys, payload, finished, finished == null);
    }

    /// Sorts keys that all threads may use, as a part of another sort.
    ///
    /// @param crew the crew of that sort, with as many threads as this sorter
    public SortReport sortWith(Crew crew, MemorySegment keys) {
        Elements elements = new Elements(keys, key.byteSize(), null, 0);
        PhaseTimes times = new PhaseTimes();
        if (crew.size() == 1 || elements.count() <= tuning.sequentialLimit()) {
            return sort(keys, null);
        }
        SimdKeys simdKeys = KernelSort.keys(elements, simdType(), order.isReversed());
        return simdKeys == null
                ? sortByLanes(parallelism, elements, times, null, false)
                : sortByKernels(simdKeys, crew, elements.count(), times, null, false);
    }

    private SortReport sort(MemorySegment keys, MemorySegment payload, LongConsumer finished, boolean mayCopy) {
        Elements elements = new Elements(keys, key.byteSize(), payload, payload == null ? 0 : this.payload.byteSize());
        PhaseTimes times = new PhaseTimes();
        long count = elements.count();
        boolean isShared = Parallel.isShared(keys) && (payload == null || Parallel.isShared(payload));
        int threads = isShared && count > soloLimit() ? parallelism : 1;
        boolean isCounted = isNarrow() && count > tuning.sequentialLimit();
        if (threads == 1 && !isCounted && count <= Math.max(tuning.sequentialLimit(), smallSortLimit())) {
            return sortDirectly(elements, times);
        }
        SimdKeys simdKeys = KernelSort.keys(elements, simdType(), order.isReversed());
        return simdKeys == null
                ? sortByLanes(threads, elements, times, finished, mayCopy)
                : sortByKernels(simdKeys, threads, elements, times, finished, mayCopy);
    }

    /// Returns about how many bytes of heap each thread takes, whatever the number of elements.
    public long heapBytesPerThread() {
        int bytes = laneBytes();
        long leafBytes = LeafSort.heapBytes(smallSortLimit(), Math.min(bytes, Long.BYTES));
        return leafBytes + (bytes > Long.BYTES ? 4 << 20 : 2 << 20);
    }

    /// Returns how many bytes of host memory are kept for the next sort.
    public long keptBytes() {
        return spare.heapBytes() + (laneSort == null ? 0 : laneSort.keptBytes());
    }

    /// Gives back the memory kept for the next sort.
    public void release() {
        if (laneSort != null) {
            laneSort.release();
            laneSort = null;
        }
        spare.release();
    }

    /// Releases the sorter's memory and threads.
    @Override
    public void close() {
        release();
        if (ownHelpers != null) {
            ownHelpers.shutdown();
        }
    }

    private SortReport sortDirectly(Elements elements, PhaseTimes times) {
        int count = (int) elements.count();
        long heapBytes = 0;
        if (count <= 1 || trySortTiny(elements, count)) {
            times.lap(PhaseTimes.Phase.SMALL_SORT);
        } else {
            heapBytes = laneSort().sortDirectly(elements, count, times);
        }
        return report(1, count, times, 0, 2L * count * elements.elementBytes(), heapBytes, count);
    }

    /// Sorts elements without a lane, if they are so few or so narrow that it does not pay to decode them.
    private boolean trySortTiny(Elements elements, int count) {
        return payload == null
                && (count <= DirectSort.MOST_TINY || key.byteSize() <= Short.BYTES)
                && DirectSort.trySort(elements.keys(), key, order);
    }

    private boolean isNarrow() {
        return payload == null && key.byteSize() <= Short.BYTES;
    }

    /// Returns how many elements the calling thread sorts before it could wake another one and share them.
    private int soloLimit() {
        boolean isFast = payload == null && key.byteSize() <= Integer.BYTES && (isNarrow() || LeafSort.hasSimd());
        return isFast ? FAST_SOLO * tuning.sequentialLimit() : tuning.sequentialLimit();
    }

    private SortReport sortByKernels(
            SimdKeys keys, int threads, Elements elements, PhaseTimes times, LongConsumer finished, boolean mayCopy) {
        try (Crew crew = crew(threads)) {
            SortReport report = sortByKernels(keys, crew, elements.count(), times, finished, mayCopy);
            if (report != null) {
                return report;
            }
        }
        // The helpers are free for the team now.
        Team team = laneSort().preparedTeam(threads);
        if (laneSort.tryMerge(team, elements, times)) {
            return report(team, elements, times, laneSort.mergedBytes());
        }
        try (Crew crew = crew(threads)) {
            return sortByKernels(keys, crew, elements.count(), times, finished, false);
        }
    }

    /// Returns null, and has moved nothing, if the elements may be a few runs that are to be merged.
    private SortReport sortByKernels(
            SimdKeys keys, Crew crew, long count, PhaseTimes times, LongConsumer finished, boolean mayMerge) {
        // Helpers wake up while this thread looks at a few keys.
        crew.gather();
        KernelSort kernels = new KernelSort(keys, crew, count);
        OrderCheck.Run run = kernels.run();
        if (run == OrderCheck.Run.NEITHER && mayMerge && kernels.mayBeFewRuns()) {
            return null;
        }
        times.lap(PhaseTimes.Phase.CHECK_ORDER);
        long heapBytes = 0;
        if (run == OrderCheck.Run.DESCENDING) {
            kernels.reverse();
            times.lap(PhaseTimes.Phase.REVERSE);
        } else if (run == OrderCheck.Run.NEITHER) {
            heapBytes = kernels.sort(finished, spare);
            times.lap(PhaseTimes.Phase.SMALL_SORT);
        }
        return report(crew.size(), count, times, 0, 0, heapBytes, 0);
    }

    private Crew crew(int threads) {
        return new Crew(threads, ownHelpers == null ? Helpers.shared() : ownHelpers);
    }

    private SortReport sortByLanes(
            int threads, Elements elements, PhaseTimes times, LongConsumer finished, boolean mayCopy) {
        Team team = laneSort().preparedTeam(threads);
        long sharedBytes = laneSort.sort(team, elements, times, finished, mayCopy);
        return report(team, elements, times, sharedBytes);
    }

    private LaneSort laneSort() {
        if (laneSort == null) {
            laneSort = new LaneSort(key, payload, order, tuning, laneBytes(), parallelism, ownHelpers);
        }
        return laneSort;
    }

    private SimdKeys.Type simdType() {
        return simdType(key, order);
    }

    /// Returns the type of keys that the kernels sort; null if they do not.
    public static SimdKeys.Type simdType(ElementType key, NaturalOrder order) {
        if (key.equals(ElementType.INT)) {
            return order.isUnsigned() ? SimdKeys.Type.UNSIGNED_INT : SimdKeys.Type.INT;
        }
        if (key.equals(ElementType.LONG)) {
            return order.isUnsigned() ? SimdKeys.Type.UNSIGNED_LONG : SimdKeys.Type.LONG;
        }
        if (key.equals(ElementType.DOUBLE)) {
            return SimdKeys.Type.DOUBLE;
        }
        return key.equals(ElementType.FLOAT) ? SimdKeys.Type.FLOAT : null;
    }

    private SortReport report(Team team, Elements elements, PhaseTimes times, long sharedBytes) {
        long heapBytes = team.heapBytes() + sharedBytes;
        return report(
                team.size(),
                elements.count(),
                times,
                team.passes(),
                team.bytesMoved(),
                heapBytes,
                team.largestBucket());
    }

    private SortReport report(
            int threads,
            long count,
            PhaseTimes times,
            int passes,
            long bytesMoved,
            long heapBytes,
            long largestBucket) {
        return new SortReportBuilder(device(threads))
                .elementCount(count)
                .passes(passes)
                .phases(times.phases())
                .total(times.total())
                .bytesMoved(bytesMoved)
                .extraBytes(heapBytes)
                .largestBucket(largestBucket)
                .build();
    }

    /// Returns the name of the device. It is kept, since making it takes 40 µs in a process that was idle.
    private String device(int threads) {
        if (deviceThreads != threads) {
            device = deviceName(threads);
            deviceThreads = threads;
        }
        return device;
    }

    /// Returns the name of the device in a report of a sort on this many threads.
    public static String deviceName(int threads) {
        return "cpu, " + threads + (threads == 1 ? " thread" : " threads");
    }

    private int laneBytes() {
        return laneBytes(key, payload);
    }

    /// Returns how many bytes an element takes in a worker's buffer.
    static int laneBytes(ElementType key, ElementType payload) {
        if (payload == null) {
            return Math.max(Integer.BYTES, key.byteSize());
        }
        return key.byteSize() <= Integer.BYTES && payload.byteSize() <= Integer.BYTES ? Long.BYTES : 2 * Long.BYTES;
    }

    private int smallSortLimit() {
        return tuning.smallSortLimit(laneBytes());
    }
}
