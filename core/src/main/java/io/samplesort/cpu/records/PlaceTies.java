package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Finishes the order of longs that have been sorted, each of which holds the leading bits of a key and the place of
/// its record: sorts the records with equal leading bits.
///
/// The leading bits of such a run are not needed any more, so they are replaced by the next bits of the key, and the
/// run is sorted by these, without other memory. Short runs are sorted by comparing records.
final class PlaceTies {
    /// Runs of up to this many records are sorted by comparing records.
    private static final int COMPARING_LIMIT = 12;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private final SimdRecords kernels;
    private final MemorySegment packed;
    private final SimdKeys numbers;
    private final int placeBits;
    private final long placeMask;
    private final MemorySegment records;
    private final Crew crew;
    private final int grain;
    private final NumberSorters sorters;

    /// The longs `from..to`, which have equal leading bits of `key`.
    private record Run(SortKey key, int from, int to) {}

    /// @param packed  sorted longs
    /// @param records the records whose places are in the lowest bits of the longs
    /// @param grain   one thread alone sorts up to this many records
    PlaceTies(
            SimdRecords kernels,
            MemorySegment packed,
            int placeBits,
            MemorySegment records,
            Crew crew,
            int grain,
            NumberSorters sorters) {
        this.kernels = kernels;
        this.packed = packed;
        this.numbers = SimdKeys.of(packed, SimdKeys.Type.LONG, false);
        this.placeBits = placeBits;
        this.placeMask = (1L << placeBits) - 1;
        this.records = records;
        this.crew = crew;
        this.grain = grain;
        this.sorters = sorters;
    }

    /// Finishes the first `count` longs.
    ///
    /// @param key the key whose leading bits the longs hold
    void finish(SortKey key, int count) {
        Deque<Run> tasks = new ArrayDeque<>(finishShortRuns(new Run(key, 0, count)));
        while (!tasks.isEmpty()) {
            Run run = tasks.removeLast();
            SortKey next = run.key.narrowedExactly(records, this::place, run.from, run.to, crew, grain);
            if (next.isConstant()) {
                continue;
            }
            crew.forRanges(
                    run.to - run.from, grain, (from, to) -> pack(next, run.from + (int) from, run.from + (int) to));
            long bytes = Long.BYTES;
            sorters.packed().sortWith(crew, packed.asSlice(run.from * bytes, (run.to - run.from) * bytes));
            if (!next.isPackable(placeBits)) {
                tasks.addAll(finishShortRuns(new Run(next, run.from, run.to)));
            }
        }
    }

    /// Finishes the short runs of equal leading bits, each by one thread, and returns the long ones.
    private Collection<Run> finishShortRuns(Run all) {
        // The beginnings of runs must be known before a thread changes leading bits.
        int[] starts = new int[Math.ceilDiv(all.to - all.from, grain) + 1];
        for (int i = 0; i < starts.length; i++) {
            int at = (int) Math.min(all.from + (long) i * grain, all.to);
            starts[i] = at == all.from || at == all.to || !isTie(at) ? at : runEnd(at, all.to);
        }
        Collection<Run> longRuns = new ConcurrentLinkedQueue<>();
        crew.forRanges(starts.length - 1L, 1, (part, end) -> {
            int start = starts[(int) part];
            int to = starts[(int) part + 1];
            for (int tie = nextTie(start, to); tie < to; tie = nextTie(start, to)) {
                start = runEnd(tie, to);
                if (start - tie + 1 > grain) {
                    longRuns.add(new Run(all.key, tie - 1, start));
                } else {
                    finishRun(all.key, tie - 1, start);
                }
            }
        });
        return longRuns;
    }

    /// Returns the first long after `start` that has the same leading bits as the one before; `to` if there is none
    /// before `to`.
    private int nextTie(int start, int to) {
        return start + 1 >= to ? to : (int) kernels.nextTie(packed, placeBits, start + 1L, to);
    }

    private void finishRun(SortKey key, int from, int to) {
        if (to - from <= COMPARING_LIMIT) {
            sortByComparing(from, to, key.comparator(records));
            return;
        }
        SortKey next = key.narrowedExactly(records, this::place, from, to, Parallel.ALONE, to - from);
        if (next.isConstant()) {
            return;
        }
        pack(next, from, to);
        numbers.sort(from, to, false);
        if (next.isPackable(placeBits)) {
            return;
        }
        int start = from;
        for (int tie = nextTie(start, to); tie < to; tie = nextTie(start, to)) {
            start = runEnd(tie, to);
            finishRun(next, tie - 1, start);
        }
    }

    private void pack(SortKey key, int from, int to) {
        for (int i = from; i < to; i++) {
            int place = (int) place(i);
            // The inverted sign bit turns the unsigned bits into signed ones.
            packed.setAtIndex(LONG, i, key.packed(records, place, place, placeBits) ^ Long.MIN_VALUE);
        }
    }

    /// Sorts places, which are ascending at first, so that equal records keep their order.
    private void sortByComparing(int from, int to, ElementComparator comparator) {
        for (int i = from + 1; i < to; i++) {
            long number = packed.getAtIndex(LONG, i);
            int at = i;
            while (at > from && comparator.compare(number & placeMask, place(at - 1)) < 0) {
                packed.setAtIndex(LONG, at, packed.getAtIndex(LONG, at - 1));
                at--;
            }
            packed.setAtIndex(LONG, at, number);
        }
    }

    private long place(long i) {
        return packed.getAtIndex(LONG, i) & placeMask;
    }

    private boolean isTie(int i) {
        return (packed.getAtIndex(LONG, i) ^ packed.getAtIndex(LONG, i - 1L)) >>> placeBits == 0;
    }

    /// Returns the end of the run that long `i` belongs to. It is searched in steps that double, since most runs are
    /// short and some may be the whole input.
    private int runEnd(int i, int limit) {
        long leading = packed.getAtIndex(LONG, i) >>> placeBits;
        int equal = i;
        long step = 1;
        while (equal + step < limit && packed.getAtIndex(LONG, equal + step) >>> placeBits == leading) {
            equal += (int) step;
            step *= 2;
        }
        int different = (int) Math.min(limit, equal + step);
        while (different - equal > 1) {
            int middle = (equal + different) >>> 1;
            if (packed.getAtIndex(LONG, middle) >>> placeBits == leading) {
                equal = middle;
            } else {
                different = middle;
            }
        }
        return different;
    }
}
