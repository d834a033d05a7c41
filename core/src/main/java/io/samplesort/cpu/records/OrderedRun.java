package io.samplesort.cpu.records;

import io.samplesort.cpu.threads.Loops;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// Checks whether elements are in order.
public final class OrderedRun {
    /// A thread compares this many neighbours before it checks whether another thread has found the answer. The calling
    /// thread compares the first of them before it wakes any other.
    private static final int GRAIN = 1 << 12;

    /// With at most this many elements, the calling thread is done before other threads have begun.
    private static final int SEQUENTIAL_LIMIT = 1 << 14;

    private OrderedRun() {}

    /// Returns whether none of `elements` comes before its left neighbour. All cores take part.
    ///
    /// @param elements a heap, native or mapped segment of any length; if only the calling thread may access it, this
    ///     thread does all of the work
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public static boolean isSorted(MemorySegment elements, ElementType type, Order order) {
        SortKey key = SortKey.of(type, order);
        ElementComparator comparator =
                key == null ? ElementComparator.of(elements, type, order) : key.comparator(elements);
        long count = elements.byteSize() / type.byteSize();
        boolean isAlone = count <= SEQUENTIAL_LIMIT || !Parallel.isShared(elements);
        return isSorted(comparator, count, new Parallel(isAlone ? 1 : Parallel.commonParallelism()));
    }

    /// Returns whether none of `count` elements comes before its left neighbour.
    static boolean isSorted(ElementComparator comparator, long count, Loops loops) {
        long alone = Math.min(count - 1, GRAIN);
        if (!isSorted(comparator, 0, alone)) {
            return false;
        }
        AtomicBoolean isBroken = new AtomicBoolean();
        loops.forRanges(count - 1 - alone, GRAIN, (from, to) -> {
            if (!isBroken.get() && !isSorted(comparator, alone + from, alone + to)) {
                isBroken.set(true);
            }
        });
        return !isBroken.get();
    }

    /// Returns whether none of the elements after `from`, up to `to`, comes before its left neighbour.
    private static boolean isSorted(ElementComparator comparator, long from, long to) {
        for (long i = from; i < to; i++) {
            if (comparator.compare(i + 1, i) < 0) {
                return false;
            }
        }
        return true;
    }
}
