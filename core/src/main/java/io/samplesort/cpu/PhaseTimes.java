package io.samplesort.cpu;

import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The wall time of each phase, summed over the passes that all workers share.
public final class PhaseTimes {
    private final long[] nanos = new long[Phase.values().length];
    private final long start = System.nanoTime();
    private long last = start;

    /// Adds the time since the last lap, or since the start, to `phase`.
    public void lap(Phase phase) {
        long now = System.nanoTime();
        nanos[phase.ordinal()] += now - last;
        last = now;
    }

    /// Adds the phases of a sort that was part of this one and has just ended.
    public void add(List<SortReport.Phase> phases) {
        for (SortReport.Phase phase : phases) {
            nanos[Phase.valueOf(phase.name().toUpperCase(Locale.ROOT)).ordinal()] +=
                    phase.time().toNanos();
        }
        last = System.nanoTime();
    }

    public Duration total() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /// Returns the phases that ran.
    public List<SortReport.Phase> phases() {
        List<SortReport.Phase> phases = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            if (nanos[phase.ordinal()] > 0) {
                phases.add(new SortReport.Phase(phase.text, Duration.ofNanos(nanos[phase.ordinal()])));
            }
        }
        return phases;
    }

    /// The phases, in the order they run.
    public enum Phase {
        /// Makes the sort keys of elements whose indexes are sorted.
        MAKE_SORT_KEYS,
        CHECK_ORDER,
        REVERSE,
        COUNT_KEYS,
        /// Merges an input of a few sorted runs.
        MERGE_RUNS,
        SELECT_SPLITTERS,
        SCATTER,
        PERMUTE_PAGES,
        SMALL_SORT,
        /// Makes further passes over buckets, each by one worker.
        SORT_BUCKETS,
        /// Sorts indexes by a comparator of the user's own.
        MERGE_SORT,
        /// Sorts the indexes of elements whose sort keys begin alike.
        SORT_TIES,
        /// Moves elements to where their indexes are.
        GATHER;

        private final String text = name().toLowerCase(Locale.ROOT);
    }
}
