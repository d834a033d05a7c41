package io.samplesort.cpu.numbers;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/// Sorts a range with a team. All workers share the distribution passes over large ranges; then each worker takes
/// ranges of its own.
final class ParallelSort {
    /// A worker's share of the elements is divided by this; a range that is smaller than the result is left to one
    /// worker.
    private static final int RANGES_PER_WORKER = 8;

    private final PageMap map = new PageMap();
    private final PendingRanges pending = new PendingRanges();

    /// Allocates everything that sorting `count` elements needs, before any is moved.
    void reserve(Team team, long count) {
        Lane lane = team.leader().lane;
        map.reserve(count / lane.pageSize + 2);
        pending.reserve(count, lane.smallSortLimit);
        for (Worker worker : team.workers()) {
            worker.reserve(team.size(), worker == team.leader(), soloLimit(team, count));
        }
    }

    long heapBytes() {
        return map.heapBytes() + pending.heapBytes();
    }

    private static long soloLimit(Team team, long count) {
        return team.size() == 1 ? count : count / ((long) RANGES_PER_WORKER * team.size());
    }

    /// Sorts all of `elements`, for which everything has been reserved.
    ///
    /// @param finished is called with the number of elements at the front that are final, by one worker at a time
    void sort(Team team, Elements elements, PhaseTimes times, LongConsumer finished) {
        long count = elements.count();
        long soloLimit = soloLimit(team, count);
        DistributionPass pass = team.leader().pass;
        pass.runFirst(team, elements, map, pending, times, finished);
        if (team.size() > 1) {
            shareLargeRanges(team, elements, soloLimit, times);
        }
        if (pending.size() > 0) {
            pending.sort();
            SortedPrefix prefix = new SortedPrefix(pending.size(), pending::start, count, finished);
            prefix.begin();
            AtomicInteger next = new AtomicInteger();
            team.run(worker -> {
                for (int i = next.getAndIncrement(); i < pending.size(); i = next.getAndIncrement()) {
                    worker.pending.add(pending.start(i), pending.end(i), pending.depth(i));
                    sortAlone(Team.alone(worker, team.watch()), elements);
                    prefix.sorted(i);
                }
            });
            times.lap(PhaseTimes.Phase.SORT_BUCKETS);
        }
    }

    private void shareLargeRanges(Team team, Elements elements, long soloLimit, PhaseTimes times) {
        for (int i = 0; i < pending.size(); ) {
            long start = pending.start(i);
            long end = pending.end(i);
            if (end - start <= soloLimit) {
                i++;
                continue;
            }
            team.watch().mayStop();
            int depth = pending.depth(i);
            pending.replaceWithLast(i);
            team.leader().pass.run(team, elements, map, start, end, depth, pending, times);
        }
    }

    private void sortAlone(Team alone, Elements elements) {
        Worker worker = alone.leader();
        PhaseTimes ignored = new PhaseTimes();
        PendingRanges ranges = worker.pending;
        while (ranges.size() > 0) {
            alone.watch().mayStop();
            int last = ranges.size() - 1;
            long start = ranges.start(last);
            long end = ranges.end(last);
            int depth = ranges.depth(last);
            ranges.replaceWithLast(last);
            worker.pass.run(alone, elements, map, start, end, depth, ranges, ignored);
        }
    }
}
