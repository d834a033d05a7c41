package io.samplesort.cpu.numbers;

import java.util.TreeMap;
import java.util.function.LongConsumer;

/// Tells how many elements are in their final places, from the first on, while workers finish ranges of any bounds in
/// any order. `SortedPrefix` does the same for ranges that are known beforehand.
final class FinalRanges {
    private final LongConsumer listener;
    /// The ends of finished ranges by where they begin, without those of the prefix.
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    private long prefix;

    /// @param listener is told how many elements are final; workers call it, one at a time
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
