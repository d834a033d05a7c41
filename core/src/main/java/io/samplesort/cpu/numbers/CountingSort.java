package io.samplesort.cpu.numbers;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Sorts keys of 1 or 2 bytes without payload. There are so few possible keys that it is enough to count them. This is
/// like the last step of a distribution pass that has an equality bucket for every possible key.
final class CountingSort {
    /// Elements that a thread takes at a time.
    private static final int TURN = 1 << 16;

    private final ElementType key;
    private final NaturalOrder order;

    /// @param key of 1 or 2 bytes
    CountingSort(ElementType key, NaturalOrder order) {
        this.key = key;
        this.order = order;
    }

    /// Returns how many bytes it allocates for a team of `teamSize` workers.
    long heapBytes(int teamSize) {
        long counts = (long) Long.BYTES * NarrowKeys.keyCount(key.byteSize());
        return counts + teamSize * (counts + NarrowKeys.heapBytes(key.byteSize()));
    }

    void sort(Team team, Elements elements, PhaseTimes times) {
        long count = elements.count();
        Queue<NarrowKeys> counters = new ConcurrentLinkedQueue<>();
        Queue<long[]> counts = new ConcurrentLinkedQueue<>();
        int keyCount = NarrowKeys.keyCount(key.byteSize());
        for (int i = 0; i < team.size(); i++) {
            counters.add(new NarrowKeys(key, order));
            counts.add(new long[keyCount]);
        }
        countKeys(team, elements, counters, counts);
        long[] offsets = new long[keyCount + 1];
        for (long[] counted : counts) {
            long sum = 0;
            for (int rank = 0; rank < keyCount; rank++) {
                sum += counted[rank];
                offsets[rank + 1] += sum;
            }
        }
        if (offsets[keyCount] != count) {
            throw new AssertionError("counts sum to " + offsets[keyCount] + ", not " + count);
        }
        times.lap(PhaseTimes.Phase.COUNT_KEYS);
        writeKeys(team, elements, counters, offsets);
        times.lap(PhaseTimes.Phase.SCATTER);
    }

    private static void countKeys(Team team, Elements elements, Queue<NarrowKeys> counters, Queue<long[]> counts) {
        long count = elements.count();
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            NarrowKeys keys = counters.remove();
            long[] counted = counts.remove();
            for (long start = next.getAndAdd(TURN); start < count; start = next.getAndAdd(TURN)) {
                long end = Math.min(start + TURN, count);
                keys.count(elements, start, end, counted);
                worker.bytesMoved += (end - start) * elements.elementBytes();
            }
            keys.addTo(counted);
            counters.add(keys);
            counts.add(counted);
        });
    }

    private static void writeKeys(Team team, Elements elements, Queue<NarrowKeys> counters, long[] offsets) {
        long count = elements.count();
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            NarrowKeys keys = counters.remove();
            for (long start = next.getAndAdd(TURN); start < count; start = next.getAndAdd(TURN)) {
                long end = Math.min(start + TURN, count);
                keys.write(elements, start, end, offsets);
                worker.bytesMoved += (end - start) * elements.elementBytes();
            }
            counters.add(keys);
        });
    }
}
