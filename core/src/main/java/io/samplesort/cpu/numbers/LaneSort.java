package io.samplesort.cpu.numbers;

import io.samplesort.cpu.threads.Helpers;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// Sorts elements that the kernels cannot sort, by workers with lanes. It keeps the workers and their memory for the
/// next sort.
public final class LaneSort {
    /// This many elements are looked at before all are loaded, to see whether they may be two runs.
    private static final int PROBED = 16;

    private final ElementType key;
    private final ElementType payload;
    private final NaturalOrder order;
    private final CpuTuning tuning;
    private final int laneBytes;
    private final int parallelism;
    private final Helpers ownHelpers;

    private Lane directLane;
    private List<Worker> workers;
    private Worker callerAlone;
    private ParallelSort parallelSort;
    private RunMerge runMerge;

    /// @param payload     the type of the payload; null for none
    /// @param laneBytes   bytes of an element in a worker's buffer
    /// @param parallelism how many threads work on a sort that is too large for one thread
    /// @param ownHelpers  helpers of this sorter alone; null for those that all sorters share
    public LaneSort(
            ElementType key,
            ElementType payload,
            NaturalOrder order,
            CpuTuning tuning,
            int laneBytes,
            int parallelism,
            Helpers ownHelpers) {
        this.key = key;
        this.payload = payload;
        this.order = order;
        this.tuning = tuning;
        this.laneBytes = laneBytes;
        this.parallelism = parallelism;
        this.ownHelpers = ownHelpers;
    }

    /// Sorts few elements on the calling thread, without a worker.
    ///
    /// @return how many bytes of heap this takes
    public long sortDirectly(Elements elements, int count, PhaseTimes times) {
        if (directLane == null) {
            directLane = newLane();
        }
        Lane lane = directLane;
        boolean sortsInPlace = lane.sortsInPlace(elements);
        lane.reserve(sortsInPlace ? Math.min(count, lane.tileSize) : count);
        OrderCheck.Run run = OrderCheck.findDirectly(lane, elements, count);
        if (run == OrderCheck.Run.ASCENDING) {
            times.lap(PhaseTimes.Phase.CHECK_ORDER);
        } else if (run == OrderCheck.Run.DESCENDING) {
            OrderCheck.reverseDirectly(lane, elements, count);
            times.lap(PhaseTimes.Phase.REVERSE);
        } else if (tryMergeDirectly(lane, elements, count)) {
            times.lap(PhaseTimes.Phase.MERGE_RUNS);
        } else if (FewKeys.tryDirectly(lane, elements, count)) {
            times.lap(PhaseTimes.Phase.COUNT_KEYS);
        } else {
            sortDirectly(lane, sortsInPlace, elements, count);
            times.lap(PhaseTimes.Phase.SMALL_SORT);
        }
        return lane.heapBytes();
    }

    /// Merges two runs. The first few elements of most other inputs show that they are more.
    private static boolean tryMergeDirectly(Lane lane, Elements elements, int count) {
        int few = Math.min(PROBED, count);
        lane.load(elements, 0, 0, few);
        if (firstOfTwoRuns(lane, few) < 0) {
            return false;
        }
        lane.reserveMerge(count);
        lane.load(elements, 0, 0, count);
        int first = firstOfTwoRuns(lane, count);
        if (first < 0) {
            return false;
        }
        int[] ends = {first, count};
        lane.mergeRuns(ends, ends.length);
        lane.store(0, elements, 0, count);
        return true;
    }

    /// Returns where the first of two runs ends, both of which are in ascending order now; -1 if there are more runs.
    private static int firstOfTwoRuns(Lane lane, int count) {
        int end = lane.orderedRun(0, count);
        return end == count || end > 0 && lane.orderedRun(end, count) == count ? end : -1;
    }

    private static void sortDirectly(Lane lane, boolean sortsInPlace, Elements elements, int count) {
        if (sortsInPlace) {
            lane.smallSort(elements, 0, count);
        } else {
            lane.load(elements, 0, 0, count);
            lane.smallSort(count);
            lane.store(0, elements, 0, count);
        }
    }

    /// Returns workers that are ready for a sort.
    ///
    /// @param threads 1, or the number of threads of all larger sorts
    public Team preparedTeam(int threads) {
        Team team = threads == 1 ? Team.alone(callerAlone(), SortWatch.current()) : team();
        team.workers().forEach(Worker::prepare);
        return team;
    }

    /// Sorts with workers that are ready for it.
    ///
    /// @param finished is called with the number of elements at the front that are final; null if not needed
    /// @param mayCopy  whether few sorted runs may be merged, which takes as much memory again
    /// @return how many bytes this takes in addition to the memory of the workers
    public long sort(Team team, Elements elements, PhaseTimes times, LongConsumer finished, boolean mayCopy) {
        if (key.byteSize() <= Short.BYTES && payload == null) {
            return count(team, elements, times);
        }
        OrderCheck.Run run = OrderCheck.find(team, elements);
        times.lap(PhaseTimes.Phase.CHECK_ORDER);
        if (run == OrderCheck.Run.ASCENDING) {
            return 0;
        }
        if (run == OrderCheck.Run.DESCENDING) {
            OrderCheck.reverse(team, elements);
            times.lap(PhaseTimes.Phase.REVERSE);
            return 0;
        }
        if (mayCopy && tryMerge(team, elements, times)) {
            return mergedBytes();
        }
        if (FewKeys.trySort(team, elements, times)) {
            return team.size() * CountedKeys.heapBytes();
        }
        if (parallelSort == null) {
            parallelSort = new ParallelSort();
        }
        parallelSort.reserve(team, elements.count());
        parallelSort.sort(team, elements, times, finished == null ? count -> {} : finished);
        return parallelSort.heapBytes();
    }

    /// Sorts keys of 1 or 2 bytes by counting, even if they are in reverse order, since counting is faster than
    /// reversing.
    private long count(Team team, Elements elements, PhaseTimes times) {
        boolean isSorted = OrderCheck.isAscending(team, elements);
        times.lap(PhaseTimes.Phase.CHECK_ORDER);
        if (isSorted) {
            return 0;
        }
        CountingSort countingSort = new CountingSort(key, order);
        countingSort.sort(team, elements, times);
        return countingSort.heapBytes(team.size());
    }

    /// Merges elements that consist of a few sorted runs, if there is enough memory. Otherwise it returns false and
    /// moves nothing.
    public boolean tryMerge(Team team, Elements elements, PhaseTimes times) {
        if (runMerge == null) {
            runMerge = new RunMerge();
        }
        return runMerge.trySort(team, elements, times);
    }

    /// Returns how many bytes the last merge took and has kept.
    public long mergedBytes() {
        return runMerge == null ? 0 : runMerge.bytes();
    }

    /// Returns how many bytes are kept for the next sort.
    public long keptBytes() {
        long bytes = directLane == null ? 0 : directLane.heapBytes();
        bytes += workers == null ? 0 : team().heapBytes();
        bytes += callerAlone == null ? 0 : callerAlone.heapBytes();
        bytes += parallelSort == null ? 0 : parallelSort.heapBytes();
        return bytes + mergedBytes();
    }

    /// Releases what a merge has kept outside the heap.
    public void release() {
        if (runMerge != null) {
            runMerge.release();
            runMerge = null;
        }
    }

    private Team team() {
        if (workers == null) {
            List<Worker> made = new ArrayList<>(parallelism);
            for (int i = 0; i < parallelism; i++) {
                made.add(newWorker());
            }
            workers = made;
        }
        return new Team(
                workers,
                ownHelpers == null ? new Parallel(parallelism) : new Parallel(parallelism, ownHelpers),
                SortWatch.current());
    }

    private Worker callerAlone() {
        if (callerAlone == null) {
            callerAlone = newWorker();
        }
        return callerAlone;
    }

    private Worker newWorker() {
        return new Worker(tuning, newLane(), key.byteSize(), payload == null ? 0 : payload.byteSize());
    }

    private Lane newLane() {
        return Lanes.make(tuning, key, payload, order, laneBytes);
    }
}
