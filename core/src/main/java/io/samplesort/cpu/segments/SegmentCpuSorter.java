package io.samplesort.cpu.segments;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.Elements;
import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sorts each segment of an array by itself, on the CPU. What is in no segment stays where it is.
///
/// Numbers in natural order, alone or with one payload of a primitive type, are sorted where they lie. All else is
/// sorted stably, by the indexes of the elements: of a short segment these take up to 28 bytes of heap for each of
/// about 2^15 elements a thread, and a copy; of a long one as much as an [IndexedCpuSorter] takes.
///
/// A sort that fails leaves each segment either sorted or as it was. Two threads must not use a sorter at once.
public final class SegmentCpuSorter implements AutoCloseable {
    private final ElementType key;
    private final int parallelism;
    /// Null if elements are sorted by their indexes.
    private final @Nullable NumberSorting numbers;

    private final IndexedSorting indexed;

    /// @param payloads    the types of the payloads, one for each column; may be empty
    /// @param isStable    whether equal elements keep their order
    /// @param parallelism how many threads work on a sort; 1 for the calling thread alone
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public SegmentCpuSorter(
            ElementType key, List<ElementType> payloads, Order order, boolean isStable, int parallelism) {
        order.checkApplicableTo(key);
        this.key = key;
        this.parallelism = parallelism;
        boolean isDirect = payloads.isEmpty()
                || !isStable && payloads.size() == 1 && payloads.getFirst().isPrimitive();
        // Equal numbers are the same bits, so a sort of them alone is always stable.
        this.numbers = isDirect && order instanceof NaturalOrder natural
                ? new NumberSorting(key, payloads.isEmpty() ? null : payloads.getFirst(), natural, parallelism)
                : null;
        this.indexed = new IndexedSorting(key, List.copyOf(payloads), order, parallelism);
    }

    /// Sorts each segment of `keys`, and moves element i of each column of payloads along with key i.
    ///
    /// @param keys     a heap, native or mapped segment; if only the calling thread may access it or a segment of
    ///     payloads, only this thread sorts
    /// @param payloads as many such segments as the sorter has payload types, with one element for each key
    /// @param offsets  no greater than the number of keys
    /// @throws IllegalArgumentException if a segment has more than 2^31 - 9 elements that are sorted by their indexes
    /// @throws OutOfMemoryError         if there is too little memory
    public SortReport sort(MemorySegment keys, List<MemorySegment> payloads, SegmentOffsets offsets) {
        boolean isShared = Parallel.isShared(keys) && payloads.stream().allMatch(Parallel::isShared);
        SegmentWork work;
        if (numbers == null) {
            checkLengths(offsets);
            work = new IndexedSegments(indexed, keys, payloads, offsets, null);
        } else {
            MemorySegment payload = payloads.isEmpty() ? null : payloads.getFirst();
            Elements elements = new Elements(keys, key.byteSize(), payload, numbers.payloadBytes());
            work = new NumberSegments(numbers, elements, offsets);
        }
        return run(work, offsets, isShared);
    }

    /// Finds the order of the elements of each segment, and leaves them where they are: of the places of a segment,
    /// `permutation[i]` is the index in the whole array of the element that belongs there, and of all other places it
    /// is `i`. Equal elements come in the order of their indexes.
    ///
    /// @param elements    a heap, native or mapped segment
    /// @param permutation room for one int or one long for each element
    /// @throws IllegalArgumentException if a segment has more than 2^31 - 9 elements
    /// @throws OutOfMemoryError         if there is too little memory
    public SortReport argsort(MemorySegment elements, SegmentOffsets offsets, MemorySegment permutation) {
        checkLengths(offsets);
        IndexedSegments work = new IndexedSegments(indexed, elements, List.of(), offsets, permutation);
        work.writeOthers();
        return run(work, offsets, Parallel.isShared(elements) && Parallel.isShared(permutation));
    }

    private SortReport run(SegmentWork work, SegmentOffsets offsets, boolean isShared) {
        long start = System.nanoTime();
        SegmentSchedule schedule = new SegmentSchedule(offsets, isShared ? parallelism : 1);
        schedule.run(work);
        return new SortReportBuilder(CpuSorter.deviceName(schedule.threads()))
                .elementCount(offsets.last() - offsets.first())
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    /// Checks that the elements of each segment can be sorted by their indexes.
    static void checkLengths(SegmentOffsets offsets) {
        if (offsets.last() - offsets.first() <= IndexedCpuSorter.MAX_COUNT) {
            return;
        }
        for (long i = 0; i < offsets.segmentCount(); i++) {
            long length = offsets.offset(i + 1) - offsets.offset(i);
            if (length > IndexedCpuSorter.MAX_COUNT) {
                throw new IllegalArgumentException(
                        "segment " + i + " has " + length + " elements: on the CPU no more than "
                                + IndexedCpuSorter.MAX_COUNT
                                + " can be sorted stably, by fields or a comparator, with several payloads or as indexes: sort"
                                + " parts and merge them");
            }
        }
    }

    /// Returns how many bytes of host memory are kept for the next sort.
    public long keptBytes() {
        return (numbers == null ? 0 : numbers.keptBytes()) + indexed.keptBytes();
    }

    /// Gives back the memory kept for the next sort.
    @Override
    public void close() {
        if (numbers != null) {
            numbers.release();
        }
        indexed.release();
    }
}
