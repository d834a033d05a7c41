package io.samplesort.cpu.segments;

import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.cpu.records.SortKey;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The sorters of elements of any type that sorts of segments use, kept for the next sort. Each thread takes its own.
final class IndexedSorting {
    private final ElementType element;
    private final List<ElementType> payloads;
    private final Order order;
    private final int parallelism;
    private final @Nullable SortKey key;
    private final ConcurrentLinkedQueue<IndexedCpuSorter> byOne = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<SegmentIndexes> leaves = new ConcurrentLinkedQueue<>();
    private @Nullable IndexedCpuSorter byAll;

    IndexedSorting(ElementType element, List<ElementType> payloads, Order order, int parallelism) {
        this.element = element;
        this.payloads = payloads;
        this.order = order;
        this.parallelism = parallelism;
        this.key = SortKey.of(element, order);
    }

    int elementBytes() {
        return element.byteSize();
    }

    /// Returns the bytes of an element and its payloads.
    int recordBytes() {
        int bytes = element.byteSize();
        for (ElementType payload : payloads) {
            bytes += payload.byteSize();
        }
        return bytes;
    }

    /// Does something with each column of payloads.
    interface ColumnPart {
        MemorySegment of(MemorySegment column, int elementBytes);
    }

    List<MemorySegment> parts(List<MemorySegment> columns, ColumnPart part) {
        List<MemorySegment> parts = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            parts.add(part.of(columns.get(i), payloads.get(i).byteSize()));
        }
        return parts;
    }

    /// Returns the sorter of long segments, which all threads sort together.
    IndexedCpuSorter byAll() {
        if (byAll == null) {
            byAll = new IndexedCpuSorter(element, payloads, order, parallelism);
        }
        return byAll;
    }

    /// Returns a sorter that sorts on the calling thread, until that gives it back.
    IndexedCpuSorter takeByOne() {
        IndexedCpuSorter idle = byOne.poll();
        return idle == null ? new IndexedCpuSorter(element, payloads, order, 1) : idle;
    }

    void giveBack(IndexedCpuSorter sorter) {
        byOne.add(sorter);
    }

    /// Returns a sort of short segments for the calling thread, until that gives it back.
    SegmentIndexes takeLeaf() {
        SegmentIndexes idle = leaves.poll();
        return idle == null ? new SegmentIndexes(element, order, key) : idle;
    }

    void giveBack(SegmentIndexes leaf) {
        leaves.add(leaf);
    }

    long keptBytes() {
        long bytes = byAll == null ? 0 : byAll.keptBytes();
        for (IndexedCpuSorter sorter : byOne) {
            bytes += sorter.keptBytes();
        }
        for (SegmentIndexes leaf : leaves) {
            bytes += leaf.heapBytes();
        }
        return bytes;
    }

    void release() {
        byAll = null;
        byOne.forEach(IndexedCpuSorter::release);
        byOne.clear();
        leaves.clear();
    }
}
