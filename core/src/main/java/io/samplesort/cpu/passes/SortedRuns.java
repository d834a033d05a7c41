package io.samplesort.cpu.passes;

import io.samplesort.cpu.lanes.Elements;
import io.samplesort.cpu.lanes.Lane;
import io.samplesort.runs.RunCuts;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A few sorted runs that lie behind each other.
final class SortedRuns {
    /// So many stretches of [#PROBE_SIZE] elements are looked at before all.
    private static final int PROBES = 64;

    private static final int PROBE_SIZE = 16;

    private static final int TILES_PER_TURN = 32;

    private final Elements elements;
    /// Where each run begins, and where the last one ends.
    private final long[] starts;

    private SortedRuns(Elements elements, long[] starts) {
        this.elements = elements;
        this.starts = starts;
    }

    /// Returns the runs of which all of `elements` consist; null if they are more than `most`.
    static SortedRuns find(Team team, Elements elements, int most) {
        return probesAscend(team.leader().lane, elements) ? findAll(team, elements, most) : null;
    }

    /// Looks at a few neighbours all over the input. Hardly any input gets past that unless it has long runs.
    private static boolean probesAscend(Lane lane, Elements elements) {
        long step = (elements.count() - PROBE_SIZE) / PROBES;
        int broken = 0;
        for (int i = 0; i < PROBES; i++) {
            broken += lane.isAscending(elements, i * step, PROBE_SIZE) ? 0 : 1;
            // An end of a run may lie there.
            if (broken > 1) {
                return false;
            }
        }
        return true;
    }

    private static SortedRuns findAll(Team team, Elements elements, int most) {
        long count = elements.count();
        long[] starts = new long[most];
        AtomicInteger size = new AtomicInteger(1);
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            Lane lane = worker.lane;
            long turn = (long) TILES_PER_TURN * (lane.tileSize - 1);
            for (long from = next.getAndAdd(turn); from < count - 1; from = next.getAndAdd(turn)) {
                // Tiles overlap by one element, so that every pair of neighbours is compared.
                for (long at = from; at < Math.min(from + turn, count - 1); at += lane.tileSize - 1) {
                    int tile = (int) Math.min(lane.tileSize, count - at);
                    if (size.get() > most || !addStarts(lane, elements, at, tile, starts, size)) {
                        return;
                    }
                }
            }
        });
        if (size.get() > most) {
            return null;
        }
        long[] found = Arrays.copyOf(starts, size.get() + 1);
        found[size.get()] = count;
        Arrays.sort(found);
        return new SortedRuns(elements, found);
    }

    /// Adds the places in `from..from + count` whose element comes before its left neighbour.
    ///
    /// @return false if there are too many
    private static boolean addStarts(
            Lane lane, Elements elements, long from, int count, long[] starts, AtomicInteger size) {
        if (lane.isAscending(elements, from, count)) {
            return true;
        }
        if (count == 2) {
            int place = size.getAndIncrement();
            if (place < starts.length) {
                starts[place] = from + 1;
            }
            return place < starts.length;
        }
        int half = count / 2;
        return addStarts(lane, elements, from, half + 1, starts, size)
                && addStarts(lane, elements, from + half, count - half, starts, size);
    }

    int count() {
        return starts.length - 1;
    }

    long start(int run) {
        return starts[run];
    }

    /// Returns the runs for a thread whose lane reads their keys. What is in the lane's buffer is lost.
    RunCuts.Runs readBy(Lane lane) {
        return new RunsOfLane(lane);
    }

    private final class RunsOfLane implements RunCuts.Runs {
        private final Lane lane;
        private final long[] lastIndexes = new long[count()];
        private final long[] lastKeys = new long[count()];

        RunsOfLane(Lane lane) {
            this.lane = lane;
            Arrays.fill(lastIndexes, -1);
        }

        @Override
        public int count() {
            return SortedRuns.this.count();
        }

        @Override
        public long length(int run) {
            return starts[run + 1] - starts[run];
        }

        @Override
        public int compare(int run, long index, int otherRun, long otherIndex) {
            return Long.compare(key(run, index), key(otherRun, otherIndex));
        }

        private long key(int run, long index) {
            if (lastIndexes[run] != index) {
                lane.load(elements, starts[run] + index, 0, 1);
                lastKeys[run] = lane.key(0) | lane.keyUnit() - 1;
                lastIndexes[run] = index;
            }
            return lastKeys[run];
        }
    }
}
