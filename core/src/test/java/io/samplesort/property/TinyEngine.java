package io.samplesort.property;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.SortCase;
import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The CPU engine with buckets so small that a few elements take several passes by several threads.
record TinyEngine(ElementType type, List<ElementType> payloads, Order order, boolean isStable) {
    private static final int PARALLELISM = 3;

    void sort(List<MemorySegment> columns) {
        MemorySegment keys = columns.getFirst();
        List<MemorySegment> payloadColumns = columns.subList(1, columns.size());
        boolean isDirect = !isStable
                && order instanceof NaturalOrder
                && payloads.size() <= 1
                && payloads.stream().allMatch(ElementType::isPrimitive);
        if (isDirect) {
            ElementType payload = payloads.isEmpty() ? null : payloads.getFirst();
            try (CpuSorter sorter = new CpuSorter(type, payload, order, SortCase.TINY, PARALLELISM)) {
                sorter.sort(keys, payload == null ? null : payloadColumns.getFirst());
            }
        } else {
            try (IndexedCpuSorter sorter = new IndexedCpuSorter(type, payloads, order, SortCase.TINY, PARALLELISM)) {
                sorter.sort(keys, payloadColumns);
            }
        }
    }

    void argsort(MemorySegment elements, MemorySegment permutation) {
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(type, List.of(), order, SortCase.TINY, PARALLELISM)) {
            sorter.argsort(elements, permutation);
        }
    }
}
