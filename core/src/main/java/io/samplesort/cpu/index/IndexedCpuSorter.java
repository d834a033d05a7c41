package io.samplesort.cpu.index;

import io.samplesort.cpu.CpuSorter;
import io.samplesort.cpu.lanes.CpuTuning;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Sorts elements of any type by any order, stably, on the CPU: it sorts their indexes, and then moves each element
/// once.
///
/// An order that names fields makes of each element a number, the prefix of its sort key. [CpuSorter] sorts the
/// prefixes, indexes along with them, and [TieSort] finishes where prefixes are equal. Of an order that is the user's
/// own nothing is known but its comparator, and [IndexMergeSort] does it all.
///
/// Extra memory, kept for the next sort: 12 bytes an element, 4 more where elements differ in what comes after the
/// first 8 bytes of their sort keys; for an order of the user's own 8 bytes. Besides, where elements move and the
/// element or a payload has more than 8 bytes (with an order of the user's own: always), a native copy of the largest
/// column. And what [CpuSorter] takes.
///
/// All memory is allocated, and all comparing done, before the first element moves: neither an [OutOfMemoryError] nor
/// an exception of a comparator changes the input. Not for use by two threads at once.
public final class IndexedCpuSorter implements AutoCloseable {
    /// As many elements can be sorted: the longest Java array.
    public static final long MAX_COUNT = Integer.MAX_VALUE - 8L;

    private final ElementType element;
    private final List<ElementType> payloads;
    private final Order order;
    private final CpuTuning tuning;
    private final int parallelism;
    /// Null where the order is a comparator of the user's.
    private final SortKey key;

    private final NumberSorters sorters;
    private final IndexMemory memory = new IndexMemory();

    /// A sorter on all cores, in the common pool.
    ///
    /// @param element  the type of the elements
    /// @param payloads the types of what moves along, one for each column; may be empty
    /// @param order    the order of the elements
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public IndexedCpuSorter(ElementType element, List<ElementType> payloads, Order order) {
        this(element, payloads, order, CpuTuning.DEFAULT, CpuSorter.commonParallelism());
    }

    IndexedCpuSorter(ElementType element, List<ElementType> payloads, Order order, CpuTuning tuning, int parallelism) {
        this.element = element;
        this.payloads = List.copyOf(payloads);
        this.order = order;
        this.tuning = tuning;
        this.parallelism = parallelism;
        this.key = SortKey.of(element, order);
        this.sorters = NumberSorters.of(tuning, parallelism);
    }

    /// Sorts `elements`, and moves element i of each column of payloads along with element i.
    ///
    /// @param elements a heap, native or mapped segment that all threads may access
    /// @param payloads as many such segments as the sorter has payload types, each with as many elements
    /// @throws IllegalArgumentException if there are more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory; nothing has been moved then
    public SortReport sort(MemorySegment elements, List<MemorySegment> payloads) {
        int largest = element.byteSize();
        for (ElementType payload : this.payloads) {
            largest = Math.max(largest, payload.byteSize());
        }
        IndexSort sort = sortIndexes(elements, largest);
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

    /// At most so many bytes of heap a sort by `order` takes for each element, beside what [CpuSorter] takes.
    public static int heapBytesPerElement(Order order) {
        return order instanceof CustomOrder ? 2 * Integer.BYTES : Long.BYTES + 2 * Integer.BYTES;
    }

    /// At most so many bytes of native memory a sort by `order` takes for each element.
    ///
    /// @param largestBytes of the element and its payloads, the size of the largest
    public static int nativeBytesPerElement(Order order, int largestBytes) {
        return order instanceof CustomOrder || largestBytes > Long.BYTES ? largestBytes : 0;
    }

    private long permute(Gather gather, MemorySegment column, ElementType type) {
        gather.permute(column, type.byteSize(), memory.copy(column.byteSize()));
        // To the copy and back.
        return 4 * column.byteSize();
    }

    /// Finds the order of the elements and leaves them where they are: afterwards `permutation[i]` is the index of the
    /// element that comes i-th.
    ///
    /// @param elements    a heap, native or mapped segment that all threads may access
    /// @param permutation such a segment with room for one int or one long for each element
    /// @throws IllegalArgumentException if there are more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        IndexSort sort = sortIndexes(elements, 0);
        sort.gather().writeIndexes(permutation);
        return sort.report(permutation.byteSize());
    }

    /// Sorts the indexes of the elements in [IndexMemory].
    ///
    /// @param copyBytes bytes an element of the largest column that will be permuted
    private IndexSort sortIndexes(MemorySegment elements, int copyBytes) {
        long found = elements.byteSize() / element.byteSize();
        if (found > MAX_COUNT) {
            throw new IllegalArgumentException(found + " elements: on the CPU no more than " + MAX_COUNT
                    + " can be sorted stably, by fields or a comparator, with several payloads or as indexes: sort"
                    + " parts and merge them, or use a GPU");
        }
        int count = (int) found;
        memory.reserve(key == null ? 0 : count, count, (long) count * copyBytes);
        IndexSort sort = new IndexSort(elements, count, memory, sorters, tuning, parallelism);
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
        sorters.release(keptBytes);
    }

    /// Releases the sorter's memory.
    @Override
    public void close() {
        release(-1);
    }
}
