package io.samplesort.cpu.segments;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.numbers.RangeSort;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The sorters of numbers that sorts of segments use, kept for the next sort. Each thread takes its own.
final class NumberSorting {
    private final ElementType key;
    private final @Nullable ElementType payload;
    private final NaturalOrder order;
    private final int parallelism;
    private final ConcurrentLinkedQueue<CpuSorter> byOne = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<RangeSort> leaves = new ConcurrentLinkedQueue<>();
    private @Nullable CpuSorter byAll;

    NumberSorting(ElementType key, @Nullable ElementType payload, NaturalOrder order, int parallelism) {
        this.key = key;
        this.payload = payload;
        this.order = order;
        this.parallelism = parallelism;
    }

    ElementType key() {
        return key;
    }

    NaturalOrder order() {
        return order;
    }

    int payloadBytes() {
        return payload == null ? 0 : payload.byteSize();
    }

    /// Returns the sorter of long segments, which all threads sort together.
    CpuSorter byAll() {
        if (byAll == null) {
            byAll = new CpuSorter(key, payload, order, parallelism);
        }
        return byAll;
    }

    /// Returns a sorter that sorts on the calling thread, until that gives it back.
    CpuSorter takeByOne() {
        CpuSorter idle = byOne.poll();
        return idle == null ? new CpuSorter(key, payload, order, CpuTuning.DEFAULT, 1) : idle;
    }

    void giveBack(CpuSorter sorter) {
        byOne.add(sorter);
    }

    /// Returns a sort of short segments for the calling thread, until that gives it back.
    RangeSort takeLeaf() {
        RangeSort idle = leaves.poll();
        return idle == null ? new RangeSort(key, payload, order) : idle;
    }

    void giveBack(RangeSort leaf) {
        leaves.add(leaf);
    }

    long keptBytes() {
        long bytes = byAll == null ? 0 : byAll.keptBytes();
        for (CpuSorter sorter : byOne) {
            bytes += sorter.keptBytes();
        }
        for (RangeSort leaf : leaves) {
            bytes += leaf.heapBytes();
        }
        return bytes;
    }

    void release() {
        byAll = null;
        byOne.clear();
        leaves.clear();
    }
}
