package io.samplesort.cpu.numbers;

import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The wall time of each phase, summed over the passes that all workers share.
public final class PhaseTimes {
    private static final Phase[] PHASES = Phase.values();

    private final long[] nanos = new long[PHASES.length];
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
        int count = 0;
        SortReport.Phase[] all = new SortReport.Phase[nanos.length];
        for (int i = 0; i < nanos.length; i++) {
            if (nanos[i] > 0) {
                all[count++] = new SortReport.Phase(PHASES[i].text, Duration.ofNanos(nanos[i]));
            }
        }
        // A report need not copy such a list. Copying would take longer than making it.
        return List.of(Arrays.copyOf(all, count));
    }

    /// The phases, in the order they run.
    public enum Phase {
        /// Makes the sort keys of elements whose indexes are sorted.
        MAKE_SORT_KEYS("make_sort_keys"),
        CHECK_ORDER("check_order"),
        REVERSE("reverse"),
        COUNT_KEYS("count_keys"),
        /// Merges an input of a few sorted runs.
        MERGE_RUNS("merge_runs"),
        SELECT_SPLITTERS("select_splitters"),
        SCATTER("scatter"),
        PERMUTE_PAGES("permute_pages"),
        SMALL_SORT("small_sort"),
        /// Makes further passes over buckets, each by one worker.
        SORT_BUCKETS("sort_buckets"),
        /// Sorts indexes by a comparator of the user's own.
        MERGE_SORT("merge_sort"),
        /// Sorts the indexes of elements whose sort keys begin alike.
        SORT_TIES("sort_ties"),
        /// Moves elements to the places of their indexes.
        GATHER("gather");

        /// The text is given, since changing the case of the name would take half a millisecond in the first sort of a
        /// process.
        private final String text;

        Phase(String text) {
            this.text = text;
        }
    }
}
