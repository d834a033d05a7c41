package io.samplesort.cpu;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Looks for input that is sorted already, or the wrong way round. An input that is neither costs one tile to look at,
/// or as far as its first run goes.
final class OrderCheck {
    private static final int TILES_PER_TURN = 32;

    private OrderCheck() {}

    /// How all of `elements` run.
    static Run find(Team team, Elements elements) {
        Lane lane = team.leader().lane;
        int size = (int) Math.min(lane.tileSize, elements.count());
        lane.load(elements, 0, 0, size);
        if (lane.isAscending(size)) {
            return isRun(team, elements, true) ? Run.ASCENDING : Run.NEITHER;
        }
        if (lane.isDescending(size)) {
            return isRun(team, elements, false) ? Run.DESCENDING : Run.NEITHER;
        }
        return Run.NEITHER;
    }

    private static boolean isRun(Team team, Elements elements, boolean ascending) {
        long count = elements.count();
        AtomicBoolean isBroken = new AtomicBoolean();
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            Lane lane = worker.lane;
            long turn = (long) TILES_PER_TURN * lane.tileSize;
            for (long start = next.getAndAdd(turn); start < count; start = next.getAndAdd(turn)) {
                // Tiles overlap by an element, so that no neighbours go unseen.
                for (long at = start; at < Math.min(start + turn, count); at += lane.tileSize - 1) {
                    if (isBroken.get()) {
                        return;
                    }
                    int size = (int) Math.min(lane.tileSize, count - at);
                    lane.load(elements, at, 0, size);
                    if (ascending ? !lane.isAscending(size) : !lane.isDescending(size)) {
                        isBroken.set(true);
                    }
                }
            }
        });
        return !isBroken.get();
    }

    /// Reverses all of `elements`, two tiles at a time.
    static void reverse(Team team, Elements elements) {
        long count = elements.count();
        int tileSize = team.leader().lane.tileSize / 2;
        long half = count / 2;
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            Lane lane = worker.lane;
            for (long at = next.getAndAdd(tileSize); at < half; at = next.getAndAdd(tileSize)) {
                int size = (int) Math.min(tileSize, half - at);
                long mirrored = count - at - size;
                lane.load(elements, at, 0, size);
                lane.load(elements, mirrored, tileSize, size);
                lane.reverse(0, size);
                lane.reverse(tileSize, size);
                lane.store(0, elements, mirrored, size);
                lane.store(tileSize, elements, at, size);
            }
        });
    }

    /// What an input is as it comes.
    enum Run {
        /// No key is greater than the next.
        ASCENDING,
        /// No key is less than the next, and not all are equal.
        DESCENDING,
        NEITHER
    }
}
