package io.samplesort.gpu.inplace;

import io.samplesort.gpu.code.KernelStructs.PageMove;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/// The moves of pages of a sort in place, in steps. They are numbers in one array, since a sort has thousands of them
/// and a young process no time for objects.
final class PageMoves {
    private static final int FIELDS = PageMove.values().length;

    /// Bytes of a move on the device.
    static final int BYTES = FIELDS * Long.BYTES;

    private long[] values = new long[FIELDS * 64];
    private int[] ends = new int[64];
    private int size;
    private int steps;
    private final BitSet areBehind = new BitSet();

    void add(long source, long target, long count) {
        if (FIELDS * size == values.length) {
            values = Arrays.copyOf(values, 2 * values.length);
        }
        values[FIELDS * size + PageMove.SOURCE.ordinal()] = source;
        values[FIELDS * size + PageMove.TARGET.ordinal()] = target;
        values[FIELDS * size + PageMove.COUNT.ordinal()] = count;
        size++;
    }

    /// Says that the moves since the last step are one step.
    ///
    /// @param isBehind whether pages move to where the region of the step has been before it was divided
    void endStep(boolean isBehind) {
        if (steps == ends.length) {
            ends = Arrays.copyOf(ends, 2 * steps);
        }
        ends[steps] = size;
        areBehind.set(steps, isBehind);
        steps++;
    }

    int size() {
        return size;
    }

    /// Returns which move is the first of a step.
    int first(int step) {
        return step == 0 ? 0 : ends[step - 1];
    }

    /// Returns how many moves a step has.
    int count(int step) {
        return ends[step] - first(step);
    }

    /// Returns whether a step comes behind the division of its region.
    boolean isBehind(int step) {
        return areBehind.get(step);
    }

    long source(int move) {
        return values[FIELDS * move + PageMove.SOURCE.ordinal()];
    }

    long target(int move) {
        return values[FIELDS * move + PageMove.TARGET.ordinal()];
    }

    /// Returns how many elements all moves have.
    long sum() {
        long sum = 0;
        for (int move = 0; move < size; move++) {
            sum += values[FIELDS * move + PageMove.COUNT.ordinal()];
        }
        return sum;
    }

    /// Writes the moves from `first` on.
    void write(int first, MemorySegment target) {
        MemorySegment.copy(values, FIELDS * first, target, ValueLayout.JAVA_LONG, 0, FIELDS * (size - first));
    }
}
