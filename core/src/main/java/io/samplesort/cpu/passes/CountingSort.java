package io.samplesort.cpu.passes;

import io.samplesort.cpu.lanes.Elements;
import io.samplesort.cpu.lanes.IntLane;
import io.samplesort.cpu.lanes.Lane;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Sorts keys of 1 or 2 bytes without payload. There are so few different keys that it is enough to count them. This is
/// like the last step of a distribution pass that has an equality bucket for every possible key.
final class CountingSort {
    private static final int TILES_PER_TURN = 32;

    private final int keyCount;
    /// The decoded key that is first in order.
    private final int leastKey;

    /// @param keyBytes 1 or 2
    /// @param leastKey the decoded key that is first in order
    CountingSort(int keyBytes, int leastKey) {
        this.keyCount = 1 << (8 * keyBytes);
        this.leastKey = leastKey;
    }

    /// Returns how many bytes it allocates for a team of `teamSize` workers.
    long heapBytes(int teamSize) {
        return (long) Long.BYTES * keyCount * (teamSize + 1);
    }

    void sort(Team team, Elements elements, PhaseTimes times) {
        long count = elements.count();
        long[][] counts = new long[team.size()][keyCount];
        long[] offsets = new long[keyCount + 1];
        countKeys(team, elements, count, counts);
        for (int key = 0; key < keyCount; key++) {
            long sum = 0;
            for (long[] workerCounts : counts) {
                sum += workerCounts[key];
            }
            offsets[key + 1] = offsets[key] + sum;
        }
        if (offsets[keyCount] != count) {
            throw new AssertionError("counts sum to " + offsets[keyCount] + ", not " + count);
        }
        times.lap(PhaseTimes.Phase.COUNT_KEYS);
        writeKeys(team, elements, count, offsets);
        times.lap(PhaseTimes.Phase.SCATTER);
    }

    private void countKeys(Team team, Elements elements, long count, long[][] counts) {
        AtomicInteger nextCounts = new AtomicInteger();
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            long[] workerCounts = counts[nextCounts.getAndIncrement()];
            Lane lane = worker.lane;
            long turn = (long) TILES_PER_TURN * lane.tileSize;
            for (long start = next.getAndAdd(turn); start < count; start = next.getAndAdd(turn)) {
                long end = Math.min(start + turn, count);
                for (long at = start; at < end; at += lane.tileSize) {
                    int size = (int) Math.min(lane.tileSize, end - at);
                    lane.load(elements, at, 0, size);
                    ((IntLane) lane).countKeys(size, leastKey, workerCounts);
                }
                worker.bytesMoved += (end - start) * elements.elementBytes();
            }
        });
    }

    private void writeKeys(Team team, Elements elements, long count, long[] offsets) {
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            IntLane lane = (IntLane) worker.lane;
            long turn = (long) TILES_PER_TURN * lane.tileSize;
            for (long start = next.getAndAdd(turn); start < count; start = next.getAndAdd(turn)) {
                long end = Math.min(start + turn, count);
                int key = keyAt(offsets, start);
                for (long at = start; at < end; at += lane.tileSize) {
                    int size = (int) Math.min(lane.tileSize, end - at);
                    int filled = 0;
                    while (filled < size) {
                        int run = (int) Math.min(size - filled, offsets[key + 1] - (at + filled));
                        lane.fillRun(filled, run, leastKey + key);
                        filled += run;
                        if (filled < size) {
                            key++;
                        }
                    }
                    lane.store(0, elements, at, size);
                }
                worker.bytesMoved += (end - start) * elements.elementBytes();
            }
        });
    }

    /// The key whose run covers position `at`.
    private int keyAt(long[] offsets, long at) {
        int low = 0;
        int high = keyCount - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (offsets[middle] <= at) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
