package io.samplesort.cpu.segments;

import io.samplesort.cpu.leaf.KeySegments;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.Elements;
import io.samplesort.cpu.numbers.KernelKeys;
import io.samplesort.cpu.numbers.RangeSort;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Sorts segments of numbers, or of keys with one payload, in natural order: short ones by a kernel that takes many at
/// a time, or without kernels one after the other.
final class NumberSegments implements SegmentWork {
    private static final int LEAST_LIMIT = 1 << 15;

    /// A longer segment is sorted as fast by a sorter of its own.
    private static final int MOST_LIMIT = 1 << 17;

    private final NumberSorting sorting;
    private final Elements elements;
    private final SegmentOffsets offsets;
    /// Null if the kernels cannot sort these elements.
    private final @Nullable KernelKeys kernelKeys;

    NumberSegments(NumberSorting sorting, Elements elements, SegmentOffsets offsets) {
        this.sorting = sorting;
        this.elements = elements;
        this.offsets = offsets;
        this.kernelKeys = KernelKeys.of(elements, sorting.key(), sorting.order());
    }

    @Override
    public long shortLimit(long share) {
        return Math.clamp(share, LEAST_LIMIT, MOST_LIMIT);
    }

    @Override
    public void sortByAll(long from, long to) {
        sort(sorting.byAll(), from, to);
    }

    @Override
    public void sortByOne(long from, long to) {
        CpuSorter sorter = sorting.takeByOne();
        sort(sorter, from, to);
        sorting.giveBack(sorter);
    }

    private void sort(CpuSorter sorter, long from, long to) {
        MemorySegment payload = elements.payload();
        sorter.sort(
                part(elements.keys(), elements.keyBytes(), from, to),
                payload == null ? null : part(payload, elements.payloadBytes(), from, to));
    }

    private static MemorySegment part(MemorySegment column, long bytes, long from, long to) {
        return column.asSlice(from * bytes, (to - from) * bytes);
    }

    @Override
    public void sortShort(long first, long end) {
        if (kernelKeys == null) {
            RangeSort leaf = sorting.takeLeaf();
            leaf.sort(elements, offsets, first, end);
            sorting.giveBack(leaf);
            return;
        }
        KeySegments kernel = kernelKeys.take();
        for (long i = first; i < end; i += KeySegments.MOST_SEGMENTS) {
            int count = (int) Math.min(KeySegments.MOST_SEGMENTS, end - i);
            offsets.copyOffsets(i, kernel.offsets(), kernel.start(), count + 1);
            kernel.sort(count);
        }
        kernelKeys.giveBack(kernel);
    }
}
