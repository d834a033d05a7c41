package io.samplesort.cpu.numbers;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Sorts keys without payload of which few are distinct, where the kernels cannot ([RepeatedKeys]): it counts the keys
/// and writes them anew.
///
/// Nothing is written before all keys are counted, so an input that turns out to have many distinct keys is unchanged.
final class FewKeys {
    /// A sample of this many keys shows at once that the keys of most inputs are too many.
    private static final int FIRST_SAMPLE = 32;

    private static final int SAMPLE = 256;

    /// At most this part of a sample's keys are distinct, in eighths.
    private static final int MOST_EIGHTHS = 7;

    /// Fewer keys are sorted faster than a table is made.
    private static final int LEAST_COUNT = 1 << 12;

    private static final int TILES_PER_TURN = 16;

    private FewKeys() {}

    /// Sorts elements on the calling thread.
    ///
    /// @return whether they are sorted; otherwise nothing has moved
    static boolean tryDirectly(Lane lane, Elements elements, int count) {
        if (count < LEAST_COUNT || !seemFew(lane, elements)) {
            return false;
        }
        CountedKeys counts = new CountedKeys();
        for (int at = 0; at < count; at += lane.tileSize) {
            if (!lane.count(elements, at, Math.min(lane.tileSize, count - at), counts)) {
                return false;
            }
        }
        write(lane, elements, 0, count, counts.sorted());
        return true;
    }

    /// Sorts elements with all workers.
    ///
    /// @return whether they are sorted; otherwise nothing has moved
    static boolean trySort(Team team, Elements elements, PhaseTimes times) {
        Lane first = team.leader().lane;
        if (!seemFew(first, elements)) {
            return false;
        }
        long count = elements.count();
        long turn = (long) TILES_PER_TURN * first.tileSize;
        CountedKeys counts = countAll(team, elements, turn);
        times.lap(PhaseTimes.Phase.COUNT_KEYS);
        if (counts == null) {
            return false;
        }
        CountedKeys.Sorted sorted = counts.sorted();
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            for (long at = next.getAndAdd(turn); at < count; at = next.getAndAdd(turn)) {
                write(worker.lane, elements, at, Math.min(at + turn, count), sorted);
            }
            worker.bytesMoved += 2 * count * elements.elementBytes() / team.size();
        });
        times.lap(PhaseTimes.Phase.SCATTER);
        return true;
    }

    /// Returns null if there are too many distinct keys.
    private static CountedKeys countAll(Team team, Elements elements, long turn) {
        long count = elements.count();
        AtomicLong next = new AtomicLong();
        AtomicBoolean areTooMany = new AtomicBoolean();
        Queue<CountedKeys> tables = new ConcurrentLinkedQueue<>();
        team.run(worker -> {
            CountedKeys table = new CountedKeys();
            int tile = worker.lane.tileSize;
            for (long from = next.getAndAdd(turn); from < count && !areTooMany.get(); from = next.getAndAdd(turn)) {
                long to = Math.min(from + turn, count);
                for (long at = from; at < to; at += tile) {
                    if (!worker.lane.count(elements, at, (int) Math.min(tile, to - at), table)) {
                        areTooMany.set(true);
                        return;
                    }
                }
            }
            tables.add(table);
        });
        CountedKeys all = new CountedKeys();
        for (CountedKeys table : tables) {
            if (areTooMany.get() || !all.add(table)) {
                return null;
            }
        }
        return areTooMany.get() ? null : all;
    }

    private static boolean seemFew(Lane lane, Elements elements) {
        return lane.isKeyOnly() && isSampleFew(lane, elements, FIRST_SAMPLE) && isSampleFew(lane, elements, SAMPLE);
    }

    private static boolean isSampleFew(Lane lane, Elements elements, int size) {
        long[] sample = new long[(int) Math.min(size, elements.count())];
        for (int i = 0; i < sample.length; i++) {
            // No element is drawn twice, since few elements would then seem to repeat.
            lane.load(elements, elements.count() * i / sample.length, 0, 1);
            sample[i] = lane.key(0);
        }
        return isFew(sample);
    }

    /// Returns whether a few keys of an array make it seem that few are distinct.
    static boolean seemFew(int[] keys, int from, int to) {
        long[] sample = new long[Math.min(FIRST_SAMPLE, to - from)];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = keys[from + (int) ((long) (to - from) * i / sample.length)];
        }
        return isFew(sample);
    }

    private static boolean isFew(long[] sample) {
        Arrays.sort(sample);
        int distinct = 1;
        for (int i = 1; i < sample.length; i++) {
            distinct += sample[i] == sample[i - 1] ? 0 : 1;
        }
        return 8 * distinct <= MOST_EIGHTHS * sample.length;
    }

    /// Writes the sorted elements `from..to`.
    private static void write(Lane lane, Elements elements, long from, long to, CountedKeys.Sorted sorted) {
        int key = 0;
        while (sorted.ends()[key] <= from) {
            key++;
        }
        for (long at = from; at < to; key++) {
            long end = Math.min(sorted.ends()[key], to);
            for (; at < end; at += lane.tileSize) {
                int size = (int) Math.min(lane.tileSize, end - at);
                lane.fill(size, sorted.keys()[key]);
                lane.store(0, elements, at, size);
            }
            at = end;
        }
    }
}
