package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.KeySegments;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Elements whose segments the kernels can sort, by several threads.
public final class KernelKeys {
    private final SimdKeys keys;
    private final ConcurrentLinkedQueue<KeySegments> idle = new ConcurrentLinkedQueue<>();

    private KernelKeys(SimdKeys keys) {
        this.keys = keys;
    }

    /// Returns these elements for the kernels; null if the kernels cannot sort them.
    public static KernelKeys of(Elements elements, ElementType key, NaturalOrder order) {
        SimdKeys keys = KernelSort.keys(elements, CpuSorter.simdType(key, order), order.isReversed(), 0);
        return keys == null ? null : new KernelKeys(keys);
    }

    /// Returns what sorts segments of these elements, for one thread until that gives it back.
    public KeySegments take() {
        KeySegments segments = idle.poll();
        return segments == null ? keys.segments() : segments;
    }

    public void giveBack(KeySegments segments) {
        idle.add(segments);
    }
}
