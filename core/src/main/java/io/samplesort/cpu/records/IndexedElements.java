package io.samplesort.cpu.records;

import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.memory.LargeMemory;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Elements whose permutation is wanted, and their indexes. Copies of both are sorted together, as records that move.
/// This takes little of the heap, but much more memory outside of it than a sort of the indexes.
///
/// @param index the type of the indexes that move, which is that of the permutation if such records can be moved
record IndexedElements(
        MemorySegment elements, MemorySegment permutation, ElementType element, Order order, ElementType index) {
    /// Returns null if elements and indexes cannot be moved together in this order.
    static IndexedElements of(MemorySegment elements, MemorySegment permutation, ElementType element, Order order) {
        long count = elements.byteSize() / element.byteSize();
        boolean isInt = permutation.byteSize() == count * Integer.BYTES;
        for (ElementType index : isInt ? List.of(ElementType.INT, ElementType.LONG) : List.of(ElementType.LONG)) {
            int bytes = element.byteSize();
            if (IndexedCpuSorter.movesRecords(order, bytes, bytes + index.byteSize())) {
                return new IndexedElements(elements, permutation, element, order, index);
            }
        }
        return null;
    }

    /// Writes the permutation.
    ///
    /// @param threads the most that work on it
    SortReport sort(CpuTuning tuning, int threads) {
        long count = elements.byteSize() / element.byteSize();
        boolean isWidened = permutation.byteSize() != count * index.byteSize();
        try (Arena arena = Arena.ofShared();
                IndexedCpuSorter sorter =
                        new IndexedCpuSorter(element, List.of(index), order, tuning, fitting(threads))) {
            MemorySegment copy = LargeMemory.allocate(elements.byteSize(), arena);
            copy.copyFrom(elements);
            MemorySegment indexes = isWidened ? LargeMemory.allocate(count * Long.BYTES, arena) : permutation;
            for (long i = 0; i < count; i++) {
                put(indexes, i, i);
            }
            SortReport report = sorter.sort(copy, List.of(indexes));
            if (isWidened) {
                for (long i = 0; i < count; i++) {
                    permutation.set(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES, (int)
                            indexes.get(ValueLayout.JAVA_LONG, i * Long.BYTES));
                }
            }
            return report;
        }
    }

    /// Returns for how many of these threads the heap has room.
    private int fitting(int threads) {
        Runtime java = Runtime.getRuntime();
        long free = java.maxMemory() - java.totalMemory() + java.freeMemory();
        return Math.clamp(free / IndexedCpuSorter.heapBytesPerThread(order), 1, threads);
    }

    private void put(MemorySegment indexes, long place, long number) {
        if (index.byteSize() == Integer.BYTES) {
            indexes.set(ValueLayout.JAVA_INT_UNALIGNED, place * Integer.BYTES, (int) number);
        } else {
            indexes.set(ValueLayout.JAVA_LONG_UNALIGNED, place * Long.BYTES, number);
        }
    }
}
