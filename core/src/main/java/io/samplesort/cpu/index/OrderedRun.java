package io.samplesort.cpu.index;

import io.samplesort.cpu.CpuSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// Checks whether elements are in order.
public final class OrderedRun {
    /// A thread compares so many neighbours before it looks whether another thread has found the answer.
    private static final int GRAIN = 1 << 12;

    /// With at most so many neighbours, the calling thread is done before other threads have begun.
    private static final int SEQUENTIAL_LIMIT = 1 << 14;

    private OrderedRun() {}

    /// Returns whether none of `elements` comes before its left neighbour. All cores look, in the common pool.
    ///
    /// @param elements a heap, native or mapped segment that all threads may access, of any length
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public static boolean isSorted(MemorySegment elements, ElementType type, Order order) {
        SortKey key = SortKey.of(type, order);
        ElementComparator comparator = ElementComparator.of(elements, type, order, key);
        long neighbours = elements.byteSize() / type.byteSize() - 1;
        AtomicBoolean isBroken = new AtomicBoolean();
        int threads = neighbours <= SEQUENTIAL_LIMIT ? 1 : CpuSorter.commonParallelism();
        new Parallel(threads).forRanges(neighbours, GRAIN, (from, to) -> {
            if (isBroken.get()) {
                return;
            }
            for (long i = from; i < to; i++) {
                if (comparator.compare(i + 1, i) < 0) {
                    isBroken.set(true);
                    return;
                }
            }
        });
        return !isBroken.get();
    }
}
