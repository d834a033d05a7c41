package io.samplesort.cpu.numbers;

import io.samplesort.memory.AvailableMemory;
import io.samplesort.memory.LargeMemory;
import io.samplesort.memory.RunCuts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/// Merges an input that consists of a few ascending or descending runs, with all threads. The runs are cut at equal
/// ranks ([RunCuts]), so that the elements between two cuts fit a worker's buffer, where they are merged.
///
/// It takes as much native memory as the elements, which is kept for the next sort: they are written there and copied
/// back.
final class RunMerge {
    /// Fewer elements are sorted as fast in other ways.
    private static final int LEAST_COUNT = 1 << 15;

    /// A worker merges about this many elements of each run at a time, so that looking for cuts takes only a fraction
    /// of the time.
    private static final int TILE_OF_RUN = 1 << 14;

    /// Each doubling of the runs takes another 1.1 ns for each element (Zen 5). SIMD functions sort longs in 6 ns each,
    /// and ints in half of that.
    private static final int MOST_RUNS = 8;

    private static final int MOST_BESIDE_SIMD = 4;

    private static final int MOST_OF_INTS_BESIDE_SIMD = 2;

    /// Stretches of tiles for each worker. Cuts are searched in the whole runs only where a stretch begins.
    private static final int STRETCHES_PER_WORKER = 8;

    /// The available memory divided by this is left to others.
    private static final int PART_FOR_OTHERS = 4;

    /// The owner of the copy; null if there is none.
    private Arena arena;

    /// Null if there is none: the first segment of a process, even an empty one, takes some 20 ms.
    private MemorySegment memory;

    /// Sorts all of `elements`, if they consist of a few sorted runs and there is memory for a copy.
    ///
    /// @return whether they are sorted; otherwise nothing has moved
    boolean trySort(Team team, Elements elements, PhaseTimes times) {
        long count = elements.count();
        if (count < LEAST_COUNT) {
            return false;
        }
        SortedRuns runs = SortedRuns.find(team, elements, mostRuns(team.leader().lane, elements));
        times.lap(PhaseTimes.Phase.CHECK_ORDER);
        Lane lane = team.leader().lane;
        if (runs == null || !reserve(elements)) {
            return false;
        }
        int tile = Math.min(lane.smallSortLimit, TILE_OF_RUN * runs.count());
        team.workers().forEach(worker -> worker.lane.reserveMerge(tile));
        Elements copy = copyOf(elements);
        long stretch = Math.max(1, count / ((long) STRETCHES_PER_WORKER * team.size() * tile)) * tile;
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            for (long from = next.getAndAdd(stretch); from < count; from = next.getAndAdd(stretch)) {
                merge(worker, runs, elements, copy, from, Math.min(from + stretch, count), tile);
            }
        });
        AtomicLong nextBack = new AtomicLong();
        team.run(worker -> {
            for (long at = nextBack.getAndAdd(stretch); at < count; at = nextBack.getAndAdd(stretch)) {
                copy.copyTo(at, elements, at, Math.min(stretch, count - at));
            }
        });
        times.lap(PhaseTimes.Phase.MERGE_RUNS);
        return true;
    }

    private static int mostRuns(Lane lane, Elements elements) {
        if (!lane.leafSort.sortsLargeRanges()) {
            return MOST_RUNS;
        }
        return elements.elementBytes() > Integer.BYTES ? MOST_BESIDE_SIMD : MOST_OF_INTS_BESIDE_SIMD;
    }

    /// Writes the elements of ranks `from..to` to `copy`.
    private static void merge(
            Worker worker, SortedRuns runs, Elements elements, Elements copy, long from, long to, int tile) {
        Lane lane = worker.lane;
        RunCuts.Runs readable = runs.readBy(lane);
        long[] cuts = RunCuts.at(readable, from, new long[runs.count()]);
        int[] endsInBuffer = new int[runs.count()];
        for (long rank = from; rank < to; rank += tile) {
            long[] ends = RunCuts.at(readable, Math.min(rank + tile, to), cuts);
            int held = 0;
            // The runs that have elements here lie one after the other in the buffer.
            int filled = 0;
            for (int run = 0; run < runs.count(); run++) {
                int size = (int) (ends[run] - cuts[run]);
                if (size > 0) {
                    runs.load(lane, run, cuts[run], held, size);
                    held += size;
                    endsInBuffer[filled++] = held;
                }
            }
            lane.mergeRuns(endsInBuffer, filled);
            lane.store(0, copy, rank, held);
            worker.bytesMoved += 4L * held * elements.elementBytes();
            worker.largestBucket = Math.max(worker.largestBucket, held);
            cuts = ends;
        }
    }

    private Elements copyOf(Elements elements) {
        long count = elements.count();
        long keyBytes = count * elements.keyBytes();
        MemorySegment payload =
                elements.payload() == null ? null : memory.asSlice(aligned(keyBytes), count * elements.payloadBytes());
        return new Elements(memory.asSlice(0, keyBytes), elements.keyBytes(), payload, elements.payloadBytes());
    }

    private static long aligned(long bytes) {
        return (bytes + Long.BYTES - 1) & -Long.BYTES;
    }

    /// Allocates room for a copy.
    ///
    /// @return false if there is too little memory
    private boolean reserve(Elements elements) {
        long bytes = aligned(elements.count() * elements.keyBytes()) + elements.count() * elements.payloadBytes();
        if (bytes() >= bytes) {
            return true;
        }
        release();
        long available = AvailableMemory.available();
        if (bytes > available - available / PART_FOR_OTHERS) {
            return false;
        }
        Arena next = Arena.ofShared();
        try {
            memory = LargeMemory.allocate(bytes, next);
            arena = next;
            return true;
        } catch (OutOfMemoryError e) {
            next.close();
            return false;
        }
    }

    long bytes() {
        return memory == null ? 0 : memory.byteSize();
    }

    void release() {
        memory = null;
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }
}
