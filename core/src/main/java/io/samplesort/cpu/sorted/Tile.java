package io.samplesort.cpu.sorted;

import io.samplesort.cpu.records.ElementComparator;
import io.samplesort.memory.SetOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// A copy of the keys of one tile of any type, of which some are picked, in their order. The leading bits of their sort
/// keys are compared as plain numbers, and only where these are equal are the keys themselves compared. What is picked
/// is then copied from each column to its target. For one thread.
final class Tile implements RunWork.Finder {
    /// Memory of a tile for an element, besides its columns.
    static final int ELEMENT_BYTES = 2 * (Long.BYTES + Integer.BYTES);

    private final KeyOrder order;
    /// Where all columns lie, one after the other.
    private final byte[] bytes;

    private final MemorySegment buffer;
    /// A copy of the keys, aligned for a comparator of the user's own; else null.
    private final MemorySegment aligned;

    private final PickedValues picked;
    /// Null if keys with equal prefixes are equal.
    private final ElementComparator ties;

    private long[] prefixes;
    private long[] otherPrefixes;
    /// Places in the tile.
    private int[] picks;

    private int[] otherPicks;
    /// Where the parts of the tile come from, and where each ends in the tile.

    private Input[] inputs = new Input[2];
    private long[] begins = new long[2];
    private int[] ends = new int[2];
    private int parts;
    private int held;

    /// @param capacity how many elements a tile may have
    /// @param widest   bytes of a value in the widest column
    Tile(KeyOrder order, int capacity, int widest) {
        this.order = order;
        bytes = new byte[Math.multiplyExact(capacity, widest)];
        buffer = MemorySegment.ofArray(bytes);
        picked = new PickedValues(widest);
        aligned = order.key() != null
                ? null
                : Arena.ofAuto()
                        .allocate(
                                (long) capacity * order.bytes(),
                                Math.max(Long.BYTES, order.type().byteAlignment()));
        ties = order.ties(aligned == null ? buffer : aligned);
        prefixes = new long[capacity];
        otherPrefixes = new long[capacity];
        picks = new int[capacity];
        otherPicks = new int[capacity];
    }

    /// Returns the number of elements in the tile.
    int held() {
        return held;
    }

    @Override
    public int[] places() {
        return picks;
    }

    @Override
    public int find(Input input, long from, int count) {
        clear();
        add(input, from, count);
        load();
        return pickHeads();
    }

    @Override
    public void write(int count, int[] columnBytes, List<MemorySegment> targets, long place) {
        write(count, columnBytes, targets, place, parts);
    }

    /// Returns what combines tiles of two inputs in this one.
    SetWork.Combiner combiner(SetOperation operation) {
        return new SetWork.Combiner() {
            @Override
            public int combine(Input first, Input second, long[] begins, int firsts, int seconds) {
                clear();
                add(first, begins[0], firsts);
                add(second, begins[1], seconds);
                load();
                return Tile.this.combine(operation, firsts);
            }

            @Override
            public void write(int count, int[] columnBytes, List<MemorySegment> targets, long place) {
                // Only unions need payloads of the second input.
                Tile.this.write(
                        count,
                        columnBytes,
                        targets,
                        place,
                        operation == SetOperation.UNION ? parts : Math.min(parts, 1));
            }
        };
    }

    void clear() {
        parts = 0;
        held = 0;
    }

    /// Adds a part of an input, behind those that the tile has already. A part without elements counts as none.
    void add(Input input, long from, int count) {
        if (count == 0) {
            return;
        }
        if (parts == ends.length) {
            inputs = Arrays.copyOf(inputs, 2 * parts);
            begins = Arrays.copyOf(begins, 2 * parts);
            ends = Arrays.copyOf(ends, 2 * parts);
        }
        inputs[parts] = input;
        begins[parts] = from;
        held += count;
        ends[parts++] = held;
    }

    /// Copies the keys of all parts.
    void load() {
        copy(0, order.bytes(), parts);
        if (aligned != null) {
            MemorySegment.copy(buffer, 0, aligned, 0, (long) held * order.bytes());
        } else {
            order.key().prefixes(bytes, held, prefixes, otherPrefixes);
        }
    }

    private void copy(int column, int columnBytes, int some) {
        int begin = 0;
        for (int part = 0; part < some; part++) {
            int count = ends[part] - begin;
            MemorySegment.copy(
                    inputs[part].columns().get(column),
                    begins[part] * columnBytes,
                    buffer,
                    (long) begin * columnBytes,
                    (long) count * columnBytes);
            begin = ends[part];
        }
    }

    /// Returns a negative number if the element at one place comes before that at another, 0 if they are equal.
    private int compare(int a, int b) {
        if (prefixes[a] != prefixes[b]) {
            return prefixes[a] < prefixes[b] ? -1 : 1;
        }
        return ties == null ? 0 : ties.compare(a, b);
    }

    /// Picks all elements in their order. Each part has to be sorted.
    void merge() {
        for (int i = 0; i < held; i++) {
            picks[i] = i;
        }
        int[] runs = Arrays.copyOf(ends, parts);
        for (int left = parts; left > 1; left = (left + 1) / 2) {
            int from = 0;
            for (int run = 0; run < left; run += 2) {
                int middle = runs[run];
                int to = run + 1 < left ? runs[run + 1] : middle;
                if (middle == to) {
                    System.arraycopy(prefixes, from, otherPrefixes, from, to - from);
                    System.arraycopy(picks, from, otherPicks, from, to - from);
                } else if (ties == null) {
                    mergeNumbers(from, middle, to);
                } else {
                    mergeKeys(from, middle, to);
                }
                runs[run / 2] = to;
                from = to;
            }
            long[] merged = otherPrefixes;
            otherPrefixes = prefixes;
            prefixes = merged;
            int[] mergedPicks = otherPicks;
            otherPicks = picks;
            picks = mergedPicks;
        }
    }

    /// Merges two runs from both ends at once, without a branch that a processor could mispredict.
    private void mergeNumbers(int from, int middle, int to) {
        long[] keys = prefixes;
        int[] places = picks;
        long[] target = otherPrefixes;
        int[] targetPlaces = otherPicks;
        int i = from;
        int j = middle;
        int lastI = middle - 1;
        int lastJ = to - 1;
        int next = from;
        int last = to - 1;
        // Neither run can come to its end in this many steps.
        for (int steps = steps(i, lastI, j, lastJ); steps > 0; steps = steps(i, lastI, j, lastJ)) {
            for (int step = 0; step < steps; step++) {
                int takesSecond = keys[j] < keys[i] ? 1 : 0;
                int taken = i + (j - i & -takesSecond);
                target[next] = keys[taken];
                targetPlaces[next++] = places[taken];
                i += 1 - takesSecond;
                j += takesSecond;
                int takesFirst = keys[lastI] > keys[lastJ] ? 1 : 0;
                int takenLast = lastJ + (lastI - lastJ & -takesFirst);
                target[last] = keys[takenLast];
                targetPlaces[last--] = places[takenLast];
                lastI -= takesFirst;
                lastJ -= 1 - takesFirst;
            }
        }
        while (i <= lastI && j <= lastJ) {
            int taken = keys[j] < keys[i] ? j++ : i++;
            target[next] = keys[taken];
            targetPlaces[next++] = places[taken];
        }
        moveRest(i, lastI + 1, j, lastJ + 1, next);
    }

    private static int steps(int i, int lastI, int j, int lastJ) {
        return Math.min(lastI - i + 1, lastJ - j + 1) / 2;
    }

    private void mergeKeys(int from, int middle, int to) {
        int i = from;
        int j = middle;
        int next = from;
        while (i < middle && j < to) {
            boolean takesSecond =
                    prefixes[j] != prefixes[i] ? prefixes[j] < prefixes[i] : ties.compare(picks[j], picks[i]) < 0;
            int taken = takesSecond ? j++ : i++;
            otherPrefixes[next] = prefixes[taken];
            otherPicks[next++] = picks[taken];
        }
        moveRest(i, middle, j, to, next);
    }

    private void moveRest(int i, int endI, int j, int endJ, int next) {
        System.arraycopy(prefixes, i, otherPrefixes, next, endI - i);
        System.arraycopy(picks, i, otherPicks, next, endI - i);
        System.arraycopy(prefixes, j, otherPrefixes, next + endI - i, endJ - j);
        System.arraycopy(picks, j, otherPicks, next + endI - i, endJ - j);
    }

    /// Picks each element that is not equal to the one before it. The first one of the tile is not looked at.
    ///
    /// @return how many are picked
    private int pickHeads() {
        int count = 0;
        if (ties == null) {
            for (int i = 1; i < held; i++) {
                picks[count] = i;
                count += prefixes[i] != prefixes[i - 1] ? 1 : 0;
            }
        } else {
            for (int i = 1; i < held; i++) {
                if (compare(i - 1, i) != 0) {
                    picks[count++] = i;
                }
            }
        }
        return count;
    }

    /// Returns the first place whose element comes before the one before it; 0 if there is none.
    int outOfOrder(Input input, long from, int count) {
        clear();
        add(input, from, count);
        load();
        for (int i = 1; i < held; i++) {
            if (compare(i, i - 1) < 0) {
                return i;
            }
        }
        return 0;
    }

    /// Picks what an operation leaves of the first elements and of the others.
    ///
    /// @param firsts how many elements are of the first input
    /// @return how many are picked
    private int combine(SetOperation operation, int firsts) {
        boolean keepsFirst = operation != SetOperation.INTERSECTION;
        boolean keepsSecond = operation == SetOperation.UNION;
        boolean keepsBoth = operation != SetOperation.DIFFERENCE;
        int count = 0;
        int i = 0;
        int j = firsts;
        while (i < firsts && j < held) {
            int compared = compare(i, j);
            picks[count] = compared <= 0 ? i : j;
            boolean isKept = compared < 0 ? keepsFirst : compared > 0 ? keepsSecond : keepsBoth;
            count += isKept ? 1 : 0;
            i += compared <= 0 ? 1 : 0;
            j += compared >= 0 ? 1 : 0;
        }
        for (; keepsFirst && i < firsts; i++) {
            picks[count++] = i;
        }
        for (; keepsSecond && j < held; j++) {
            picks[count++] = j;
        }
        return count;
    }

    /// Writes the columns of the first `count` picks to targets, from `place` on.
    ///
    /// @param columnBytes bytes of a value in each column
    /// @param some        all picks are in this many parts
    void write(int count, int[] columnBytes, List<MemorySegment> targets, long place, int some) {
        for (int column = 0; column < targets.size(); column++) {
            int width = columnBytes[column];
            if (column > 0) {
                copy(column, width, Math.min(some, parts));
            }
            picked.write(bytes, width, picks, count, targets.get(column), place * width);
        }
    }
}
