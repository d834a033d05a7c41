package io.samplesort.cpu.records;

import io.samplesort.cpu.threads.Loops;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
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
        order.checkApplicableTo(type);
        long count = elements.byteSize() / type.byteSize();
        boolean isAlone = count <= SEQUENTIAL_LIMIT || !Parallel.isShared(elements);
        return areSorted(
                stretches(elements, type, order), count, new Parallel(isAlone ? 1 : Parallel.commonParallelism()));
    }

    private static Stretches stretches(MemorySegment elements, ElementType type, Order order) {
        if (order instanceof NaturalOrder natural) {
            NumberRun run = new NumberRun(elements, type, natural);
            return (from, to) -> run.firstBroken(from, to) < 0;
        }
        SortKey key = SortKey.of(type, order);
        ElementComparator comparator =
                key == null ? ElementComparator.of(elements, type, order) : key.comparator(elements);
        return (from, to) -> isSorted(comparator, from, to);
    }

    /// Tells whether none of the elements after `from`, up to `to`, comes before its left neighbour.
    private interface Stretches {
        boolean isSorted(long from, long to);
    }

    /// Returns whether none of `count` elements comes before its left neighbour.
    static boolean isSorted(ElementComparator comparator, long count, Loops loops) {
        return areSorted((from, to) -> isSorted(comparator, from, to), count, loops);
    }

    private static boolean areSorted(Stretches stretches, long count, Loops loops) {
        long alone = Math.min(count - 1, GRAIN);
        if (!stretches.isSorted(0, alone)) {
            return false;
        }
        AtomicBoolean isBroken = new AtomicBoolean();
        loops.forRanges(count - 1 - alone, GRAIN, (from, to) -> {
            if (!isBroken.get() && !stretches.isSorted(alone + from, alone + to)) {
                isBroken.set(true);
            }
        });
        return !isBroken.get();
    }

    private static boolean isSorted(ElementComparator comparator, long from, long to) {
        for (long i = from; i < to; i++) {
            if (comparator.compare(i + 1, i) < 0) {
                return false;
            }
        }
        return true;
    }
}
