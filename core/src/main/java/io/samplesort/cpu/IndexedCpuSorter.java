package io.samplesort.cpu;

import io.samplesort.ElementType;
import io.samplesort.Order;
import io.samplesort.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// Sorts elements of any type by any order, stably, on the CPU: it sorts their indexes, and then moves each element
/// once.
///
/// An order that names fields makes of each element a number, the prefix of its sort key. [CpuSorter] sorts the
/// prefixes, indexes along with them, and [TieSort] finishes where prefixes are equal. Of an order that is the user's
/// own nothing is known but its comparator, and [IndexMergeSort] does it all.
///
/// Extra memory, kept for the next sort: 12 bytes an element, 4 more if the sort key is longer than 8 bytes; for an
/// order of the user's own 8 bytes. Besides, where elements move and the element or a payload has more than 8 bytes
/// (with an order of the user's own: always), a native copy of the largest column. And what [CpuSorter] takes.
///
/// All memory is allocated, and all comparing done, before the first element moves: neither an [OutOfMemoryError] nor
/// an exception of a comparator changes the input. Not for use by two threads at once.
public final class IndexedCpuSorter implements AutoCloseable {
    /// The longest Java array.
    private static final long MAX_COUNT = Integer.MAX_VALUE - 8L;

    private final ElementType element;
    private final List<ElementType> payloads;
    private final Order order;
    private final CpuTuning tuning;
    private final int parallelism;
    /// Null where the order is a comparator of the user's.
    private final SortKey key;

    private final CpuSorter prefixSorter;
    private final CpuSorter pairSorter;
    private final CpuSorter indexSorter;
    private final IndexMemory memory = new IndexMemory();

    /// A sorter on all cores, in the common pool.
    ///
    /// @param element  the type of the elements
    /// @param payloads the types of what moves along, one for each column; may be empty
    /// @param order    the order of the elements
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public IndexedCpuSorter(ElementType element, List<ElementType> payloads, Order order) {
        this(element, payloads, order, CpuTuning.DEFAULT, Team.commonParallelism());
    }

    IndexedCpuSorter(ElementType element, List<ElementType> payloads, Order order, CpuTuning tuning, int parallelism) {
        order.checkApplicableTo(element);
        this.element = element;
        this.payloads = List.copyOf(payloads);
        this.order = order;
        this.tuning = tuning;
        this.parallelism = parallelism;
        this.key = SortKey.of(element, order);
        Order natural = Order.natural();
        this.prefixSorter = CpuSorter.inCommonPool(ElementType.LONG, null, natural, tuning, parallelism);
        this.pairSorter = CpuSorter.inCommonPool(ElementType.LONG, ElementType.INT, natural, tuning, parallelism);
        this.indexSorter = CpuSorter.inCommonPool(ElementType.INT, null, natural, tuning, parallelism);
    }

    /// Sorts `elements`, and moves element i of each column of payloads along with element i.
    ///
    /// @param elements a heap, native or mapped segment that all threads may access
    /// @param payloads as many such segments as the sorter has payload types, each with as many elements
    /// @throws IllegalArgumentException if there are more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory; nothing has been moved then
    public SortReport sort(MemorySegment elements, List<MemorySegment> payloads) {
        int largestElement = element.byteSize();
        for (ElementType payload : this.payloads) {
            largestElement = Math.max(largestElement, payload.byteSize());
        }
        Run run = new Run(elements);
        run.reserve(run.count > 1 ? (long) run.count * largestElement : 0);
        run.sortIndexes();
        Gather gather = run.gather();
        if (!gather.isIdentity()) {
            run.permute(gather, elements, element);
            for (int i = 0; i < payloads.size(); i++) {
                run.permute(gather, payloads.get(i), this.payloads.get(i));
            }
        }
        return run.report();
    }

    /// Finds the order of the elements and leaves them where they are: afterwards `permutation[i]` is the index of the
    /// element that comes i-th.
    ///
    /// @param elements    a heap, native or mapped segment that all threads may access
    /// @param permutation such a segment with room for one int or one long for each element
    /// @throws IllegalArgumentException if there are more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        Run run = new Run(elements);
        run.reserve(0);
        run.sortIndexes();
        run.gather().writeIndexes(permutation);
        run.bytesMoved += permutation.byteSize();
        return run.report();
    }

    /// Gives back the memory kept for the next sort if it is more than `keptBytes`.
    public void release(long keptBytes) {
        if (memory.bytes() > keptBytes) {
            memory.release();
        }
        prefixSorter.release(keptBytes);
        pairSorter.release(keptBytes);
        indexSorter.release(keptBytes);
    }

    /// Releases the sorter's memory.
    @Override
    public void close() {
        release(-1);
    }

    /// One sort.
    private final class Run {
        private final MemorySegment elements;
        private final int count;
        private final Parallel parallel;
        private final int grain = Math.max(tuning.sequentialLimit(), 2);
        private final int indexBits;
        private final PhaseTimes times = new PhaseTimes();
        private int passes;
        private long bytesMoved;
        private long sorterBytes;
        private long largestBucket;

        Run(MemorySegment elements) {
            long found = elements.byteSize() / element.byteSize();
            if (found > MAX_COUNT) {
                throw new IllegalArgumentException(found + " elements: on the CPU no more than " + MAX_COUNT
                        + " can be sorted stably, by fields, by a comparator, with payloads in several arrays or as"
                        + " indexes: sort parts and merge them, or use a GPU");
            }
            this.elements = elements;
            this.count = (int) found;
            this.parallel = new Parallel(count <= tuning.sequentialLimit() ? 1 : parallelism);
            this.indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, count - 1));
        }

        /// Whether prefix and index fit one long: such longs sort faster than pairs, and none equals another.
        private boolean isPacked() {
            return key != null && key.isWholeInPrefix() && key.prefixBits() + indexBits <= Long.SIZE;
        }

        void reserve(long copyBytes) {
            boolean isMerged = key == null || !key.isWholeInPrefix();
            memory.reserve(key == null ? 0 : count, count, isMerged ? count : 0, copyBytes);
        }

        /// Puts the index of the element that comes i-th at place i of the indexes in [IndexMemory].
        void sortIndexes() {
            int[] indexes = memory.indexes();
            if (isPacked()) {
                makePrefixes(indexBits);
                add(prefixSorter.sort(prefixes(), null));
                long mask = (1L << indexBits) - 1;
                long[] packed = memory.prefixes();
                parallel.forRanges(count, grain, (from, to) -> {
                    for (int i = (int) from; i < to; i++) {
                        indexes[i] = (int) (packed[i] & mask);
                    }
                });
                times.lap(PhaseTimes.Phase.SORT_TIES);
                return;
            }
            parallel.forRanges(count, grain, (from, to) -> {
                for (int i = (int) from; i < to; i++) {
                    indexes[i] = i;
                }
            });
            if (key == null) {
                mergeSort(ElementComparator.of(elements, element, order, null)).sort(0, count);
                largestBucket = count;
                times.lap(PhaseTimes.Phase.MERGE_SORT);
                return;
            }
            makePrefixes(0);
            add(pairSorter.sort(prefixes(), MemorySegment.ofArray(indexes).asSlice(0, (long) count * Integer.BYTES)));
            IndexMergeSort byRest = key.isWholeInPrefix() ? null : mergeSort(key.comparatorOfRest(elements));
            new TieSort(parallel, grain, memory.prefixes(), indexes, count, byRest, indexSorter).sort();
            times.lap(PhaseTimes.Phase.SORT_TIES);
        }

        private IndexMergeSort mergeSort(ElementComparator comparator) {
            return new IndexMergeSort(parallel, comparator, memory.indexes(), memory.spare(), grain);
        }

        /// Makes the prefixes, with so many bits of the index below them.
        private void makePrefixes(int indexBits) {
            long[] prefixes = memory.prefixes();
            parallel.forRanges(count, grain, (from, to) -> {
                for (int i = (int) from; i < to; i++) {
                    long prefix = key.prefix(elements, i) << indexBits;
                    // The inverted sign bit makes the unsigned prefix signed, as the sorters want it.
                    prefixes[i] = (indexBits == 0 ? prefix : prefix | i) ^ Long.MIN_VALUE;
                }
            });
            bytesMoved += (long) count * (element.byteSize() + Long.BYTES);
            times.lap(PhaseTimes.Phase.MAKE_SORT_KEYS);
        }

        private MemorySegment prefixes() {
            return MemorySegment.ofArray(memory.prefixes()).asSlice(0, (long) count * Long.BYTES);
        }

        private void add(SortReport sorted) {
            times.add(sorted.phases());
            passes = sorted.passes();
            bytesMoved += sorted.bytesMoved();
            sorterBytes = sorted.extraBytes();
            largestBucket = sorted.largestBucket();
        }

        Gather gather() {
            return new Gather(parallel, grain, memory.indexes(), count);
        }

        void permute(Gather gather, MemorySegment column, ElementType type) {
            gather.permute(column, type.byteSize(), memory.copy(column.byteSize()));
            // To the copy and back.
            bytesMoved += 4 * column.byteSize();
        }

        SortReport report() {
            times.lap(PhaseTimes.Phase.GATHER);
            return new SortReport(
                    CpuSorter.deviceName(parallel.parallelism()),
                    count,
                    passes,
                    times.phases(),
                    times.total(),
                    bytesMoved,
                    memory.bytes() + sorterBytes,
                    largestBucket,
                    Optional.empty());
        }
    }
}
