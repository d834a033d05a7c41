package io.samplesort.memory;

import java.util.Arrays;

/// Finds where to cut sorted runs so that a given number of elements, the first in order, lie left of the cuts. This is
/// selection in several sorted sequences at once.
///
/// Buckets between such cuts have exactly the wanted sizes for any input: there is no sample that could mislead, and
/// many equal elements are cut like any others. Equal elements come in the order of their runs, then of their places in
/// the run. So if the runs are stable sorts of consecutive parts, the buckets together are a stable sort too.
///
/// The sizes depend on arithmetic alone. A comparator that contradicts itself, or runs that are not sorted, lead to
/// other cuts, but never to wrong sums, to cuts that go backwards, or to a search that does not end.
public final class RunCuts {
    private final Runs runs;
    private final long rank;
    /// For each run, the cut is known to lie between these two places.
    private final long[] low;
    private final long[] high;

    /// The runs whose cut is not known yet, in the order of their middle elements.
    private final int[] open;
    private int openCount;
    private final int[] moved;

    /// Sorted runs, wherever they are stored.
    public interface Runs {
        /// Returns how many runs there are.
        int count();

        /// Returns how many elements a run has.
        long length(int run);

        /// Compares an element of one run with an element of another, as a [java.util.Comparator] does.
        ///
        /// The search asks for the same element of a run until it moves on in that run. So remembering one element for
        /// each run saves nearly all reading.
        int compare(int run, long index, int otherRun, long otherIndex);
    }

    private RunCuts(Runs runs, long rank, long[] after) {
        int count = runs.count();
        this.runs = runs;
        this.rank = rank;
        this.low = Arrays.copyOf(after, count);
        this.high = new long[count];
        this.open = new int[count];
        this.moved = new int[count];
        long missing = rank - sum(low);
        long available = 0;
        for (int run = 0; run < count; run++) {
            long left = runs.length(run) - low[run];
            available += left;
            // No run can give more elements than are missing altogether.
            high[run] = low[run] + Math.min(left, Math.max(0, missing));
        }
        if (missing < 0 || missing > available) {
            throw new IllegalArgumentException("rank " + rank + " after cuts at " + Arrays.toString(after) + ": "
                    + available + " elements are left in the runs");
        }
    }

    /// Finds the cuts for one rank. In each run this reads about log2(n) elements, where n is the number of elements
    /// between `after` and the cut, and for each of them it makes about log2(r) comparisons, where r is the number of
    /// runs.
    ///
    /// @param rank  how many elements shall be left of the cuts
    /// @param after cuts of a smaller rank, or zeros; the search begins there, and no new cut lies left of them
    /// @return for each run how many of its elements are among the first `rank`
    /// @throws IllegalArgumentException if `rank` is less than the sum of `after`, or more than there are elements
    public static long[] at(Runs runs, long rank, long[] after) {
        return new RunCuts(runs, rank, after).search();
    }

    private long[] search() {
        for (int run = 0; run < low.length; run++) {
            insert(run);
        }
        while (true) {
            long missing = rank - sum(low);
            if (missing == 0) {
                return low;
            }
            if (sum(high) == rank) {
                return high;
            }
            if (!cutOffRight(missing)) {
                cutOffLeft(missing);
            }
        }
    }

    /// A stream would take longer than all comparisons.
    private static long sum(long[] places) {
        long sum = 0;
        for (long place : places) {
            sum += place;
        }
        return sum;
    }

    /// Puts a run in its place among the open ones, unless its cut is known.
    private void insert(int run) {
        if (low[run] == high[run]) {
            return;
        }
        int from = 0;
        int to = openCount;
        while (from < to) {
            int between = (from + to) >>> 1;
            if (isBefore(run, open[between])) {
                to = between;
            } else {
                from = between + 1;
            }
        }
        System.arraycopy(open, from, open, from + 1, openCount - from);
        open[from] = run;
        openCount++;
    }

    private boolean isBefore(int run, int other) {
        int comparison = runs.compare(run, middle(run), other, middle(other));
        return comparison < 0 || (comparison == 0 && run < other);
    }

    private long middle(int run) {
        return (low[run] + high[run]) >>> 1;
    }

    /// Looks for a middle element such that more than `missing` elements come no later than it does. Then neither this
    /// element, nor those after it in its own run and in the runs with greater middles, are left of the cuts.
    private boolean cutOffRight(long missing) {
        long before = 0;
        for (int i = 0; i < openCount; i++) {
            int run = open[i];
            before += middle(run) - low[run] + 1;
            if (before > missing) {
                int count = openCount - i;
                System.arraycopy(open, i, moved, 0, count);
                openCount = i;
                for (int j = 0; j < count; j++) {
                    high[moved[j]] = middle(moved[j]);
                }
                insertMoved(count);
                return true;
            }
        }
        return false;
    }

    /// Narrows the cuts if [#cutOffRight] has found nothing: then some middle element has more elements after it
    /// than stay right of the cuts, so it must itself be left of them, together with all before it.
    private void cutOffLeft(long missing) {
        long surplus = -missing;
        for (int i = 0; i < openCount; i++) {
            surplus += high[open[i]] - low[open[i]];
        }
        long notBefore = 0;
        for (int i = openCount - 1; i >= 0; i--) {
            int run = open[i];
            notBefore += high[run] - middle(run);
            if (notBefore > surplus) {
                int count = i + 1;
                System.arraycopy(open, 0, moved, 0, count);
                System.arraycopy(open, count, open, 0, openCount - count);
                openCount -= count;
                for (int j = 0; j < count; j++) {
                    low[moved[j]] = middle(moved[j]) + 1;
                }
                insertMoved(count);
                return;
            }
        }
        throw new AssertionError("no run to cut: " + Arrays.toString(low) + " to " + Arrays.toString(high));
    }

    private void insertMoved(int count) {
        for (int j = 0; j < count; j++) {
            insert(moved[j]);
        }
    }
}
