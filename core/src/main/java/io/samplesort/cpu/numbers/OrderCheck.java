package io.samplesort.cpu.numbers;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Looks for input that is in order already, or in reverse order.
public final class OrderCheck {
    private static final int TILES_PER_TURN = 32;

    private static final int PROBES = 64;

    /// A thread that checks few elements by itself looks at this many before it looks at all.
    private static final int FIRST_FEW = 16;

    private OrderCheck() {}

    /// Returns in what order all of `elements` are already, if any.
    static Run find(Team team, Elements elements) {
        for (boolean ascending : new boolean[] {true, false}) {
            if (isRun(team, elements, ascending)) {
                return ascending ? Run.ASCENDING : Run.DESCENDING;
            }
        }
        return Run.NEITHER;
    }

    /// Returns the same for few elements, which one thread checks by itself.
    static Run findDirectly(Lane lane, Elements elements, int count) {
        int few = Math.min(FIRST_FEW, count);
        if (lane.isAscending(elements, 0, few) && lane.isAscending(elements, 0, count)) {
            return Run.ASCENDING;
        }
        if (lane.isDescending(elements, 0, few) && lane.isDescending(elements, 0, count)) {
            return Run.DESCENDING;
        }
        return Run.NEITHER;
    }

    /// Returns whether no element is less than the one before.
    static boolean isAscending(Team team, Elements elements) {
        return isRun(team, elements, true);
    }

    /// Checks the first tile, and a few elements all over the input. Hardly any input that is not a run passes this
    /// test.
    private static boolean isRunOfProbes(Lane lane, Elements elements, boolean ascending) {
        long count = elements.count();
        int size = (int) Math.min(lane.tileSize, count);
        if (ascending ? !lane.isAscending(elements, 0, size) : !lane.isDescending(elements, 0, size)) {
            return false;
        }
        long last = 0;
        for (int i = 0; i < PROBES; i++) {
            lane.load(elements, i * (count / PROBES), 0, 1);
            long key = lane.key(0) | (lane.keyUnit() - 1);
            if (i > 0 && (ascending ? last > key : last < key)) {
                return false;
            }
            last = key;
        }
        return true;
    }

    private static boolean isRun(Team team, Elements elements, boolean ascending) {
        return isRunOfProbes(team.leader().lane, elements, ascending) && isRunOfAll(team, elements, ascending);
    }

    private static boolean isRunOfAll(Team team, Elements elements, boolean ascending) {
        long count = elements.count();
        AtomicBoolean isBroken = new AtomicBoolean();
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            Lane lane = worker.lane;
            long turn = (long) TILES_PER_TURN * lane.tileSize;
            for (long start = next.getAndAdd(turn); start < count; start = next.getAndAdd(turn)) {
                // Tiles overlap by one element, so that every pair of neighbours is compared.
                for (long at = start; at < Math.min(start + turn, count); at += lane.tileSize - 1) {
                    if (isBroken.get()) {
                        return;
                    }
                    int size = (int) Math.min(lane.tileSize, count - at);
                    if (ascending ? !lane.isAscending(elements, at, size) : !lane.isDescending(elements, at, size)) {
                        isBroken.set(true);
                    }
                }
            }
        });
        return !isBroken.get();
    }

    /// Reverses all of `elements`, two halves of tiles at a time.
    static void reverse(Team team, Elements elements) {
        long half = elements.count() / 2;
        int size = team.leader().lane.tileSize / 2;
        AtomicLong next = new AtomicLong();
        team.run(worker -> {
            for (long at = next.getAndAdd(size); at < half; at = next.getAndAdd(size)) {
                exchange(worker.lane, elements, at, (int) Math.min(size, half - at));
            }
        });
    }

    /// Reverses few elements with a lane that has room for a tile, or for all of them.
    static void reverseDirectly(Lane lane, Elements elements, int count) {
        int size = lane.tileSize / 2;
        for (int at = 0; at < count / 2; at += size) {
            exchange(lane, elements, at, Math.min(size, count / 2 - at));
        }
    }

    /// Exchanges elements `at..at + size` with those at the same distance from the end, both in reverse order.
    private static void exchange(Lane lane, Elements elements, long at, int size) {
        long mirrored = elements.count() - at - size;
        lane.load(elements, at, 0, size);
        lane.load(elements, mirrored, size, size);
        lane.reverse(0, size);
        lane.reverse(size, size);
        lane.store(0, elements, mirrored, size);
        lane.store(size, elements, at, size);
    }

    /// The order that the keys of an input have already.
    public enum Run {
        /// No key is greater than the next.
        ASCENDING,
        /// No key is less than the next, and not all are equal.
        DESCENDING,
        NEITHER
    }
}
