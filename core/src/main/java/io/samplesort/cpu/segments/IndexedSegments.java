package io.samplesort.cpu.segments;

import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sorts segments of elements of any type by any order, stably, or finds their order. The order of the elements of
/// short segments is found before one of them moves.
final class IndexedSegments implements SegmentWork {
    /// Segments of this many elements, or of this many bytes, are short.
    private static final int MOST_SHORT = 1 << 15;

    private static final int MOST_SHORT_BYTES = 1 << 21;

    private static final int LEAST_SHORT = 64;

    private static final int MOST_SEGMENTS = 1 << 15;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final IndexedSorting sorting;
    private final MemorySegment elements;
    private final List<MemorySegment> payloads;
    private final SegmentOffsets offsets;
    /// Null if the elements are moved.
    private final @Nullable MemorySegment permutation;

    private final int indexBytes;

    IndexedSegments(
            IndexedSorting sorting,
            MemorySegment elements,
            List<MemorySegment> payloads,
            SegmentOffsets offsets,
            @Nullable MemorySegment permutation) {
        this.sorting = sorting;
        this.elements = elements;
        this.payloads = payloads;
        this.offsets = offsets;
        this.permutation = permutation;
        long count = elements.byteSize() / sorting.elementBytes();
        this.indexBytes = permutation == null || count == 0 ? 0 : (int) (permutation.byteSize() / count);
    }

    @Override
    public long shortLimit(long share) {
        return Math.clamp(MOST_SHORT_BYTES / sorting.recordBytes(), LEAST_SHORT, MOST_SHORT);
    }

    @Override
    public void sortByAll(long from, long to) {
        sort(sorting.byAll(), from, to);
    }

    @Override
    public void sortByOne(long from, long to) {
        IndexedCpuSorter sorter = sorting.takeByOne();
        sort(sorter, from, to);
        sorting.giveBack(sorter);
    }

    private void sort(IndexedCpuSorter sorter, long from, long to) {
        MemorySegment part = part(elements, sorting.elementBytes(), from, to);
        if (permutation == null) {
            sorter.sort(part, sorting.parts(payloads, (column, bytes) -> part(column, bytes, from, to)));
            return;
        }
        MemorySegment indexes = part(permutation, indexBytes, from, to);
        sorter.argsort(part, indexes);
        addTo(indexes, from);
    }

    private static MemorySegment part(MemorySegment column, long bytes, long from, long to) {
        return column.asSlice(from * bytes, (to - from) * bytes);
    }

    private void addTo(MemorySegment indexes, long start) {
        long bytes = indexes.byteSize();
        if (indexBytes == Integer.BYTES) {
            for (long at = 0; at < bytes; at += Integer.BYTES) {
                indexes.set(INT, at, indexes.get(INT, at) + (int) start);
            }
        } else {
            for (long at = 0; at < bytes; at += Long.BYTES) {
                indexes.set(LONG, at, indexes.get(LONG, at) + start);
            }
        }
    }

    @Override
    public void sortShort(long first, long end) {
        SegmentIndexes leaf = sorting.takeLeaf();
        // Any number of empty segments may begin at one element.
        for (long i = first; i < end; i += MOST_SEGMENTS) {
            sortShort(leaf, i, Math.min(i + MOST_SEGMENTS, end));
        }
        sorting.giveBack(leaf);
    }

    private void sortShort(SegmentIndexes leaf, long first, long end) {
        long from = offsets.offset(first);
        long to = offsets.offset(end);
        if (from == to) {
            return;
        }
        int[] indexes = leaf.sort(part(elements, sorting.elementBytes(), from, to), offsets, first, end);
        if (permutation != null) {
            for (int i = 0; i < to - from; i++) {
                put(from + i, from + indexes[i]);
            }
            return;
        }
        leaf.permute(part(elements, sorting.elementBytes(), from, to), sorting.elementBytes());
        sorting.parts(payloads, (column, bytes) -> {
            leaf.permute(part(column, bytes, from, to), bytes);
            return column;
        });
    }

    /// Writes that all elements outside of the segments stay where they are.
    void writeOthers() {
        long count = elements.byteSize() / sorting.elementBytes();
        for (long i = 0; i < offsets.first(); i++) {
            put(i, i);
        }
        for (long i = offsets.last(); i < count; i++) {
            put(i, i);
        }
    }

    private void put(long place, long index) {
        if (indexBytes == Integer.BYTES) {
            permutation.set(INT, place * Integer.BYTES, (int) index);
        } else {
            permutation.set(LONG, place * Long.BYTES, index);
        }
    }
}
