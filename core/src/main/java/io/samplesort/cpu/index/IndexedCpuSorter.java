package io.samplesort.cpu.index;

import io.samplesort.cpu.Parallel;
import io.samplesort.cpu.lanes.CpuTuning;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Sorts elements of any type by any order on the CPU, and stably. It sorts their indexes, and then moves each element
/// once.
///
/// An order that names fields turns each element into a number, the prefix of its sort key. [CpuSorter] sorts the
/// prefixes along with the indexes, and [TieSort] finishes the elements whose prefixes are equal. Nothing is known of
/// an order of the user's own except its comparator, so [IndexMergeSort] does all of the work.
///
/// The extra memory, which is kept for the next sort, is 12 bytes for each element, and 4 more where elements differ in
/// what comes after the first 8 bytes of their sort keys. With an order of the user's own it is 8 bytes. If elements
/// move and the element or a payload has more than 8 bytes (with an order of the user's own: always), there is also a
/// native copy of the largest column. [CpuSorter] takes memory besides.
///
/// All memory is allocated, and all comparing is done, before the first element moves: neither an [OutOfMemoryError]
/// nor an exception of a comparator changes the input. A sorter is not for use by two threads at once.
public final class IndexedCpuSorter implements AutoCloseable {
    /// The most elements that can be sorted: the length of the longest Java array.
    public static final long MAX_COUNT = Integer.MAX_VALUE - 8L;

    /// Larger records are not moved twice: their indexes are sorted.
    private static final int MOST_MOVED_BYTES = Integer.getInteger("most", 256);

    private final ElementType element;
    private final List<ElementType> payloads;
    private final Order order;
    private final CpuTuning tuning;
    private final int parallelism;
    /// Null if the order is a comparator of the user's own.
    private final SortKey key;

    private final NumberSorters sorters;
    private final IndexMemory memory = new IndexMemory();
    private final RecordLayout layout;
    private final RecordMemory recordMemory = new RecordMemory();

    /// Makes a sorter on all cores, with the helpers that all sorters share.
    ///
    /// @param element  the type of the elements
    /// @param payloads the types of the payloads, one for each column; may be empty
    /// @param order    the order of the elements
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public IndexedCpuSorter(ElementType element, List<ElementType> payloads, Order order) {
        this(element, payloads, order, CpuTuning.DEFAULT, Parallel.commonParallelism());
    }

    /// Makes a sorter with the tuning of all sorters, that divides its work among so many threads, as far as helpers
    /// are free.
    public IndexedCpuSorter(ElementType element, List<ElementType> payloads, Order order, int parallelism) {
        this(element, payloads, order, CpuTuning.DEFAULT, parallelism);
    }

    /// Makes a sorter that divides its work among so many threads, as far as helpers are free.
    public IndexedCpuSorter(
            ElementType element, List<ElementType> payloads, Order order, CpuTuning tuning, int parallelism) {
        this.element = element;
        this.payloads = List.copyOf(payloads);
        this.order = order;
        this.tuning = tuning;
        this.parallelism = parallelism;
        this.key = SortKey.of(element, order);
        this.layout = RecordLayout.of(element.byteSize(), tuning);
        this.sorters = NumberSorters.of(tuning, parallelism);
    }

    /// Sorts `elements`, and moves element i of each column of payloads along with element i.
    ///
    /// @param elements a heap, native or mapped segment; if only the calling thread may access it or a segment of
    ///     payloads, this thread alone reads and moves elements
    /// @param payloads as many such segments as the sorter has payload types, each with as many elements
    /// @throws IllegalArgumentException if there are more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory; nothing has been moved then
    public SortReport sort(MemorySegment elements, List<MemorySegment> payloads) {
        if (movesRecords() && count(elements) > 1) {
            RecordSort sort = new RecordSort(
                    elements,
                    count(elements),
                    layout,
                    recordMemory,
                    tuning.sequentialLimit(),
                    Parallel.isShared(elements) ? parallelism : 1);
            sort.sort(key);
            return sort.report();
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
        long bytes = permute(gather, elements, element);
        for (int i = 0; i < payloads.size(); i++) {
            bytes += permute(gather, payloads.get(i), this.payloads.get(i));
        }
        return sort.report(bytes);
    }

    /// Returns the most bytes of heap that a sort by `order` takes for each element, beside what [CpuSorter] takes.
    public static int heapBytesPerElement(Order order) {
        return order instanceof CustomOrder ? 2 * Integer.BYTES : Long.BYTES + 2 * Integer.BYTES;
    }

    /// Returns the most bytes of native memory that a sort by `order` takes for each element.
    ///
    /// @param largestBytes the size of the largest among the element and its payloads
    public static int nativeBytesPerElement(Order order, int largestBytes) {
        return order instanceof CustomOrder || largestBytes > Long.BYTES ? largestBytes : 0;
    }

    /// Returns about how many bytes of heap each thread takes at most, whatever the number of elements.
    public static long heapBytesPerThread(Order order) {
        // The sorters of packed prefixes, of pairs and of indexes keep what they have allocated, and a sort may need
        // all of them.
        return order instanceof CustomOrder ? 0 : 12 << 20;
    }

    private long permute(Gather gather, MemorySegment column, ElementType type) {
        gather.permute(column, type.byteSize(), memory.copy(column.byteSize()));
        // Each column is read and written on its way to the copy and back.
        return 4 * column.byteSize();
    }

    /// Finds the order of the elements and leaves them where they are: afterwards `permutation[i]` is the index of the
    /// element that comes i-th.
    ///
    /// @param elements    a heap, native or mapped segment; if only the calling thread may access it or the
    ///     permutation, this thread alone reads and writes them
    /// @param permutation such a segment with room for one int or one long for each element
    /// @throws IllegalArgumentException if there are more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        IndexSort sort = sortIndexes(elements, 0, Parallel.isShared(elements) && Parallel.isShared(permutation));
        sort.gather().writeIndexes(permutation);
        return sort.report(permutation.byteSize());
    }

    private boolean movesRecords() {
        return key != null
                && payloads.isEmpty()
                && element.byteSize() > Long.BYTES
                && element.byteSize() <= MOST_MOVED_BYTES;
    }

    private int count(MemorySegment elements) {
        long found = elements.byteSize() / element.byteSize();
        if (found > MAX_COUNT) {
            throw new IllegalArgumentException(found + " elements: on the CPU no more than " + MAX_COUNT
                    + " can be sorted stably, by fields or a comparator, with several payloads or as indexes: sort"
                    + " parts and merge them, or use a GPU");
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
            sort.sort(ElementComparator.of(elements, element, order, null));
        } else {
            sort.sort(key);
        }
        return sort;
    }

    /// Gives back the memory kept for the next sort if it is more than `keptBytes`.
    public void release(long keptBytes) {
        if (memory.bytes() > keptBytes) {
            memory.release();
        }
        if (recordMemory.bytes() > keptBytes) {
            recordMemory.release();
        }
        sorters.release(keptBytes);
    }

    /// Releases the sorter's memory.
    @Override
    public void close() {
        release(-1);
    }
}
