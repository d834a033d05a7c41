package io.samplesort.cpu.numbers;

import io.samplesort.memory.RunCuts;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// A few sorted runs that lie one after the other, each in ascending or in descending order.
final class SortedRuns {
    /// This many stretches of [#PROBE_SIZE] elements are checked before all elements are.
    private static final int PROBES = 64;

    private static final int PROBE_SIZE = 16;

    private static final int TILES_PER_TURN = 32;

    private final Elements elements;
    private final long[] starts;
    private final boolean[] descends;

    /// @param starts   where each run begins, and where the last one ends
    /// @param descends whether a run is in descending order
    SortedRuns(Elements elements, long[] starts, boolean[] descends) {
        this.elements = elements;
        this.starts = starts;
        this.descends = descends;
    }

    /// Returns the runs of which all of `elements` consist; null if there are more than `most`.
    static SortedRuns find(Team team, Elements elements, int most) {
        return areProbesInOrder(team.leader().lane, elements) ? findAll(team, elements, most) : null;
    }

    /// Compares a few neighbours all over the input. Hardly any input without long runs passes this test.
    private static boolean areProbesInOrder(Lane lane, Elements elements) {
        long step = (elements.count() - PROBE_SIZE) / PROBES;
        int broken = 0;
        for (int i = 0; i < PROBES; i++) {
            boolean isInOrder = lane.isAscending(elements, i * step, PROBE_SIZE)
                    || lane.isDescending(elements, i * step, PROBE_SIZE);
            broken += isInOrder ? 0 : 1;
            // One stretch may contain the end of a run.
            if (broken > 1) {
                return false;
            }
        }
        return true;
    }

    private static SortedRuns findAll(Team team, Elements elements, int most) {
        long last = elements.count() - 1;
        long turn = (long) TILES_PER_TURN * (team.leader().lane.tileSize - 1);
        Slopes[] slopes = new Slopes[Math.toIntExact(Math.ceilDiv(last, turn))];
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean areTooMany = new AtomicBoolean();
        team.run(worker -> {
            int tile = worker.lane.tileSize - 1;
            for (int i = next.getAndIncrement(); i < slopes.length; i = next.getAndIncrement()) {
                slopes[i] = new Slopes(most);
                long end = Math.min((i + 1) * turn, last);
                // Tiles overlap by one element, so that every pair of neighbours is compared.
                for (long at = i * turn; at < end; at += tile) {
                    int count = (int) Math.min(tile, end - at) + 1;
                    if (areTooMany.get() || !slopes[i].addAll(worker.lane, elements, at, count)) {
                        areTooMany.set(true);
                        return;
                    }
                }
            }
        });
        Slopes all = new Slopes(most);
        for (Slopes part : slopes) {
            if (areTooMany.get() || !all.addAll(part)) {
                return null;
            }
        }
        return all.runs(elements, most);
    }

    int count() {
        return starts.length - 1;
    }

    /// Puts `count` elements of a run at index `at` of the lane's buffer, in ascending order.
    ///
    /// @param from how many elements of the run come before these in ascending order
    void load(Lane lane, int run, long from, int at, int count) {
        if (descends[run]) {
            lane.load(elements, starts[run + 1] - from - count, at, count);
            lane.reverse(at, count);
        } else {
            lane.load(elements, starts[run] + from, at, count);
        }
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
                load(lane, run, index, 0, 1);
                lastKeys[run] = lane.key(0) | lane.keyUnit() - 1;
                lastIndexes[run] = index;
            }
            return lastKeys[run];
        }
    }
}
