package io.samplesort.cpu.sorted;

import io.samplesort.cpu.numbers.CpuSorter;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Writes inputs that are not worth a merge.
final class WholeInputs {
    /// A thread copies this many bytes at a time.
    private static final int COPIED_BYTES = 1 << 18;

    private WholeInputs() {}

    /// Copies all columns of the only input that there is.
    static void copy(Input input, List<MemorySegment> targets, int threads) {
        for (int column = 0; column < targets.size(); column++) {
            MemorySegment source = input.columns().get(column);
            MemorySegment target = targets.get(column);
            Workers.each(threads, Math.ceilDiv(source.byteSize(), COPIED_BYTES), () -> part -> {
                long from = part * COPIED_BYTES;
                MemorySegment.copy(source, from, target, from, Math.min(COPIED_BYTES, source.byteSize() - from));
            });
        }
    }

    /// Sorts many inputs of numbers, which cannot be told apart where they are equal.
    static void sort(List<Input> inputs, KeyOrder order, MemorySegment target, int threads) {
        long at = 0;
        for (Input input : inputs) {
            long bytes = input.keys().byteSize();
            MemorySegment.copy(input.keys(), 0, target, at, bytes);
            at += bytes;
        }
        try (CpuSorter sorter = new CpuSorter(order.type(), null, order.order(), threads)) {
            sorter.sort(target, null);
        }
    }
}
