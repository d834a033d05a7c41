package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Sorts elements of any type by any order on the CPU, and stably.
///
/// An order that names fields turns each element into a number, the prefix of its sort key. Records of up to 256 bytes,
/// payloads included, are moved whole: their prefixes are sorted with their places, and each record is gathered
/// ([GatherSort]), or they are distributed by their prefixes ([RecordSort]). For larger records, the indexes are
/// sorted, and each element moves once: [CpuSorter] sorts the prefixes along with the indexes, and [TieSort] finishes
/// the elements whose prefixes are equal. An argsort works in the same way. An order of the user's own is only known by
/// its comparator, so [IndexMergeSort] does all of the work.
///
/// The extra memory is kept for the next sort. If records are moved whole, it is a native copy of all columns, 8 bytes
/// more for each record, and up to 9 MiB of heap for each thread. A sort of indexes takes 12 bytes of heap for each
/// element, 4 more if elements differ only after the first 8 bytes of their sort keys, and what [CpuSorter] takes; with
/// an order of the user's own it takes 8 bytes. If elements move and the element or a payload has more than 8 bytes
/// (with an order of the user's own: always), there is also a native copy of the largest column.
///
/// All memory is allocated, and all comparing by an order of the user's own is done, before the first element moves:
/// neither an [OutOfMemoryError] nor an exception of a comparator changes the input. Two threads must not use a sorter
/// at once.
public final class IndexedCpuSorter implements AutoCloseable {
    /// The most elements that can be sorted: the length of the longest Java array.
    public static final long MAX_COUNT = Integer.MAX_VALUE - 8L;

    /// Larger records are not moved whole, which would move them twice: their indexes are sorted.
    private static final int MOST_MOVED_BYTES = 256;

    private final ElementType element;
    private final List<ElementType> payloads;
    private final Order order;
    private final CpuTuning tuning;
    private final int parallelism;
    private final boolean mayGather;
    /// Null if the order is a comparator of the user's own.
    private final SortKey key;

    private final NumberSorters sorters;
    private final IndexMemory memory = new IndexMemory();
    /// Null if records are not moved whole.
    private final RecordLayout layout;
    private final RecordMemory recordMemory = new RecordMemory();

    private final GatherMemory gatherMemory = new GatherMemory(recordMemory.keptPages());

    /// Makes a sorter on all cores, with the helpers that all sorters share.
    ///
    /// @param element  the type of the elements
    /// @param payloads the types of the payloads, one for each column; may be empty
    /// @param order    the order of the elements
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public IndexedCpuSorter(ElementType element, List<ElementType> payloads, Order order) {
        this(element, payloads, order, CpuTuning.DEFAULT, Parallel.commonParallelism());
    }

    /// Makes a sorter with the tuning of all sorters, that divides its work among this many threads, as far as helpers
    /// are free.
    public IndexedCpuSorter(ElementType element, List<ElementType> payloads, Order order, int parallelism) {
        this(element, payloads, order, CpuTuning.DEFAULT, parallelism);
    }

    /// Makes a sorter that divides its work among this many threads, as far as helpers are free.
    public IndexedCpuSorter(
            ElementType element, List<ElementType> payloads, Order order, CpuTuning tuning, int parallelism) {
        this(element, payloads, order, tuning, parallelism, true);
    }

    /// @param mayGather whether records may be sorted by their places; otherwise they are distributed
    IndexedCpuSorter(
            ElementType element,
            List<ElementType> payloads,
            Order order,
            CpuTuning tuning,
            int parallelism,
            boolean mayGather) {
        this.mayGather = mayGather;
        this.element = element;
        this.payloads = List.copyOf(payloads);
        this.order = order;
        this.tuning = tuning;
        this.parallelism = parallelism;
        this.key = SortKey.of(element, order);
        List<Integer> columnBytes = new ArrayList<>(List.of(element.byteSize()));
        payloads.forEach(payload -> columnBytes.add(payload.byteSize()));
        int recordBytes = columnBytes.stream().mapToInt(Integer::intValue).sum();
        this.layout =
                movesRecords(order, element.byteSize(), recordBytes) ? RecordLayout.of(columnBytes, tuning) : null;
        this.sorters = NumberSorters.of(tuning, parallelism);
    }

    /// Sorts `elements`, and moves element i of each column of payloads along with element i.
    ///
    /// @param elements a heap, native or mapped segment; if only the calling thread may access it or a segment of
    ///     payloads, only this thread reads and moves elements
    /// @param payloads as many such segments as the sorter has payload types, each with one element for each of
    ///     `elements`
    /// @throws IllegalArgumentException if there are more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory; nothing has been moved in that case
    public SortReport sort(MemorySegment elements, List<MemorySegment> payloads) {
        SortWatch watch = SortWatch.current();
        watch.onlyReads();
        if (layout != null && count(elements) > 1) {
            return moveRecords(elements, payloads);
        }
        int largest = element.byteSize();
        for (ElementType payload : this.payloads) {
            largest = Math.max(largest, payload.byteSize());
        }
        boolean isShared = Parallel.isShared(elements) && payloads.stream().allMatch(Parallel::isShared);
        IndexSort sort = sortIndexes(elements, largest, isShared);
        Gather gather = sort.gather();
        if (gather.isIdentity()) {
            return sort.report(0);
        }
        watch.mayStop();
        watch.moves();
        long bytes = permute(gather, elements, element);
        for (int i = 0; i < payloads.size(); i++) {
            bytes += permute(gather, payloads.get(i), this.payloads.get(i));
        }
        return sort.report(bytes);
    }

    /// Returns the most bytes of heap that a sort by `order` takes for each element, in addition to what each thread
    /// takes.
    ///
    /// @param elementBytes bytes of an element
    /// @param recordBytes  bytes of an element and its payloads
    public static int heapBytesPerElement(Order order, int elementBytes, int recordBytes) {
        if (movesRecords(order, elementBytes, recordBytes)) {
            // The sort keeps two numbers for each page, and a page has more elements than these numbers have bytes.
            return 1;
        }
        return order instanceof CustomOrder ? 2 * Integer.BYTES : Long.BYTES + 2 * Integer.BYTES;
    }

    /// Returns the most bytes of native memory that a sort by `order` takes for each element.
    ///
    /// @param elementBytes bytes of an element
    /// @param recordBytes  bytes of an element and its payloads
    /// @param largestBytes the size of the largest among the element and its payloads
    public static int nativeBytesPerElement(Order order, int elementBytes, int recordBytes, int largestBytes) {
        if (movesRecords(order, elementBytes, recordBytes)) {
            return recordBytes + Long.BYTES;
        }
        return order instanceof CustomOrder || largestBytes > Long.BYTES ? largestBytes : 0;
    }

    /// Returns about how many bytes of heap each thread takes at most, whatever the number of elements.
    public static long heapBytesPerThread(Order order) {
        // The sorters of packed prefixes, of pairs and of indexes keep what they have allocated, and a sort may use all
        // three.
        return order instanceof CustomOrder ? 0 : 12 << 20;
    }

    private long permute(Gather gather, MemorySegment column, ElementType type) {
        gather.permute(column, type.byteSize(), memory.copy(column.byteSize()));
        // Each column is read and written on its way to the copy and back.
        return 4 * column.byteSize();
    }

    /// Finds the order of the elements and leaves them where they are: afterwards `permutation[i]` is the index of the
    /// element that comes i-th. If the heap has too little room for indexes, copies of the elements are sorted outside
    /// of it, with their indexes as payloads. This is not possible for an order of the user's own.
    ///
    /// @param elements    a heap, native or mapped segment; if only the calling thread may access it or the
    ///     permutation, only this thread reads and writes them
    /// @param permutation such a segment with room for one int or one long for each element
    /// @throws IllegalArgumentException if there are more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        try {
            return argsortIndexes(elements, permutation);
        } catch (OutOfMemoryError e) {
            memory.release();
            IndexedElements pairs = IndexedElements.of(elements, permutation, element, order);
            if (pairs == null) {
                throw e;
            }
            return pairs.sort(tuning, parallelism);
        }
    }

    private SortReport argsortIndexes(MemorySegment elements, MemorySegment permutation) {
        IndexSort sort = sortIndexes(elements, 0, Parallel.isShared(elements) && Parallel.isShared(permutation));
        sort.gather().writeIndexes(permutation);
        return sort.report(permutation.byteSize());
    }

    /// Returns whether records are moved whole instead of sorted by index.
    ///
    /// @param elementBytes  bytes of an element
    /// @param recordBytes   bytes of an element and its payloads
    static boolean movesRecords(Order order, int elementBytes, int recordBytes) {
        return !(order instanceof CustomOrder)
                && recordBytes >= Long.BYTES
                && (recordBytes > Long.BYTES || recordBytes > elementBytes)
                && recordBytes <= MOST_MOVED_BYTES;
    }

    private SortReport moveRecords(MemorySegment elements, List<MemorySegment> payloads) {
        List<MemorySegment> columns = new ArrayList<>(List.of(elements));
        columns.addAll(payloads);
        int threads = columns.stream().allMatch(Parallel::isShared) ? parallelism : 1;
        int count = count(elements);
        int grain = tuning.sequentialLimit();
        PhaseTimes times = new PhaseTimes();
        try (Crew crew = new Parallel(count <= grain ? 1 : threads).crew()) {
            boolean isSorted = OrderedRun.isSorted(key.comparator(elements), count, crew);
            times.lap(PhaseTimes.Phase.CHECK_ORDER);
            if (isSorted) {
                return new SortReportBuilder(CpuSorter.deviceName(crew.size()))
                        .elementCount(count)
                        .phases(times.phases())
                        .total(times.total())
                        .build();
            }
            SimdRecords kernels = mayGather ? GatherSort.kernels(columns, count, grain) : null;
            if (kernels != null) {
                GatherSort sort =
                        new GatherSort(columns, count, layout, gatherMemory, sorters, kernels, times, grain, crew);
                SortReport report = sort.sort(key);
                if (report != null) {
                    return report;
                }
            }
        }
        RecordSort sort = new RecordSort(columns, count, layout, recordMemory, times, grain, threads);
        sort.sort(key);
        return sort.report();
    }

    private int count(MemorySegment elements) {
        long found = elements.byteSize() / element.byteSize();
        if (found > MAX_COUNT) {
            throw new IllegalArgumentException(found + " elements: on the CPU no more than " + MAX_COUNT
                    + " can be sorted stably, by fields or a comparator, with several payloads or as indexes: sort"
                    + " parts and merge them");
        }
        return (int) found;
    }

    /// Sorts the indexes of the elements in [IndexMemory].
    ///
    /// @param copyBytes bytes for each element of the largest column that will be permuted
    /// @param isShared  whether helpers may use all segments
    private IndexSort sortIndexes(MemorySegment elements, int copyBytes, boolean isShared) {
        int count = count(elements);
        memory.reserve(key == null ? 0 : count, count, (long) count * copyBytes);
        IndexSort sort = new IndexSort(elements, count, memory, sorters, tuning, isShared ? parallelism : 1);
        if (key == null) {
            sort.sort(ElementComparator.of(elements, element, order));
        } else {
            sort.sort(key);
        }
        return sort;
    }

    /// Returns how many bytes of host memory are kept for the next sort.
    public long keptBytes() {
        return memory.bytes() + recordMemory.bytes() + gatherMemory.bytes() + sorters.keptBytes();
    }

    /// Gives back the memory kept for the next sort.
    public void release() {
        memory.release();
        recordMemory.release();
        gatherMemory.release();
        sorters.release();
    }

    /// Releases the sorter's memory.
    @Override
    public void close() {
        release();
    }
}
