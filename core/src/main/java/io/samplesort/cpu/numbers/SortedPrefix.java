package io.samplesort.cpu.numbers;

import java.util.BitSet;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;

/// Reports how many elements at the front are in their final places, while workers sort ranges of them in any order. So
/// the beginning of the result can be used while the rest is sorted.
final class SortedPrefix {
    private final int rangeCount;
    private final IntToLongFunction starts;
    private final long count;
    private final LongConsumer listener;
    private final BitSet sorted;
    private int firstUnsorted;

    /// @param rangeCount how many ranges are to be sorted; all elements outside are in their places
    /// @param starts     where each range begins, in ascending order
    /// @param count      how many elements there are
    /// @param listener   is called with the number of elements that are final, by one worker at a time
    SortedPrefix(int rangeCount, IntToLongFunction starts, long count, LongConsumer listener) {
        this.rangeCount = rangeCount;
        this.starts = starts;
        this.count = count;
        this.listener = listener;
        this.sorted = new BitSet(rangeCount);
    }

    /// Reports what is final before any of the ranges is sorted.
    synchronized void begin() {
        tell();
    }

    /// Called when range `i` is sorted.
    synchronized void sorted(int i) {
        sorted.set(i);
        if (i == firstUnsorted) {
            firstUnsorted = sorted.nextClearBit(i);
            tell();
        }
    }

    private void tell() {
        listener.accept(firstUnsorted < rangeCount ? starts.applyAsLong(firstUnsorted) : count);
    }
}
