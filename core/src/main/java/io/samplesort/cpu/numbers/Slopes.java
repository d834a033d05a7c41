package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// Stretches of an input that rise or fall, each as long as possible. Each begins with the last element of the one
/// before, so that all neighbours are compared.
final class Slopes {
    private static final int LEVEL = 0;
    private static final int RISING = 1;
    private static final int FALLING = -1;

    private final long[] starts;
    private final int[] directions;
    private int size;

    /// @param mostRuns the most runs for whose slopes there is room
    Slopes(int mostRuns) {
        // Between two rising runs lies a falling slope of two elements.
        starts = new long[2 * mostRuns];
        directions = new int[2 * mostRuns];
    }

    /// Adds the slopes of `count` elements, at least two, of which the first is the last element that was added before.
    ///
    /// @return false if there is no room for them
    boolean addAll(Lane lane, Elements elements, long from, int count) {
        if (lane.isAscending(elements, from, count)) {
            boolean isLevel = key(lane, elements, from) == key(lane, elements, from + count - 1);
            return add(from, isLevel ? LEVEL : RISING);
        }
        if (lane.isDescending(elements, from, count)) {
            return add(from, FALLING);
        }
        int half = count / 2;
        return addAll(lane, elements, from, half + 1) && addAll(lane, elements, from + half, count - half);
    }

    private static long key(Lane lane, Elements elements, long place) {
        lane.load(elements, place, 0, 1);
        return lane.key(0) | lane.keyUnit() - 1;
    }

    /// Adds slopes of elements of which the first is the last element that was added before.
    ///
    /// @return false if there is no room for them
    boolean addAll(Slopes next) {
        for (int i = 0; i < next.size; i++) {
            if (!add(next.starts[i], next.directions[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean add(long start, int direction) {
        if (size > 0 && goOn(directions[size - 1], direction)) {
            directions[size - 1] = joined(directions[size - 1], direction);
            return true;
        }
        if (size == starts.length) {
            return false;
        }
        starts[size] = start;
        directions[size++] = direction;
        return true;
    }

    private static boolean goOn(int direction, int next) {
        return direction == next || direction == LEVEL || next == LEVEL;
    }

    private static int joined(int direction, int next) {
        return direction == LEVEL ? next : direction;
    }

    /// Returns these slopes as runs: the element that two slopes share belongs to the first one.
    ///
    /// @return null if there are more than `most`
    SortedRuns runs(Elements elements, int most) {
        long[] runStarts = new long[most + 1];
        int[] runDirections = new int[most];
        int runs = 0;
        for (int i = 0; i < size; i++) {
            if (runs > 0 && goOn(runDirections[runs - 1], directions[i])) {
                runDirections[runs - 1] = joined(runDirections[runs - 1], directions[i]);
                continue;
            }
            if (runs == most) {
                return null;
            }
            long last = i + 1 < size ? starts[i + 1] : elements.count() - 1;
            runStarts[runs] = i == 0 ? 0 : starts[i] + 1;
            runDirections[runs++] = runStarts[runs - 1] == last ? LEVEL : directions[i];
        }
        runStarts[runs] = elements.count();
        boolean[] descends = new boolean[runs];
        for (int run = 0; run < runs; run++) {
            descends[run] = runDirections[run] == FALLING;
        }
        return new SortedRuns(elements, Arrays.copyOf(runStarts, runs + 1), descends);
    }
}
