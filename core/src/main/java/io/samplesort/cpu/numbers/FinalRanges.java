package io.samplesort.cpu.numbers;

import java.util.TreeMap;
import java.util.function.LongConsumer;

/// Reports how many elements at the front are in their final places, while workers finish ranges with any bounds in any
/// order. `SortedPrefix` does the same for ranges that are known beforehand.
final class FinalRanges {
    private final LongConsumer listener;
    /// The ends of finished ranges by their beginnings, without those of the prefix.
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    private long prefix;

    /// @param listener is called with the number of elements that are final, by one worker at a time
    FinalRanges(LongConsumer listener) {
        this.listener = listener;
    }

    /// Called when no later step touches the elements `from..to`.
    synchronized void finished(long from, long to) {
        if (from == to) {
            return;
        }
        ends.put(from, to);
        long before = prefix;
        for (Long end = ends.remove(prefix); end != null; end = ends.remove(prefix)) {
            prefix = end;
        }
        if (prefix > before) {
            listener.accept(prefix);
        }
    }
}
