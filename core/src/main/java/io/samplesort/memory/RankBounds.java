package io.samplesort.memory;

/// Which elements of a sorted random sample enclose the elements of some ranks. A rank is a place in sorted order, from
/// 0 on. Nearly always the elements of these ranks are among those from the lower to the upper bound. Whoever relies on
/// it counts the elements below the lower bound and those between the bounds, and tries a wider attempt if need be.
///
/// @param count       how many elements there are
/// @param sampleCount how many of them are in the sample, in strata of equal size
/// @param low         the place of the lower bound in the sorted sample; [#NONE] if there is none
/// @param high        the place of the upper bound; [#NONE] if there is none
public record RankBounds(long count, int sampleCount, int low, int high) {
    public static final int NONE = -1;

    /// After this many attempts a selection sorts all elements. With random samples, nearly all succeed at once.
    public static final int MOST_ATTEMPTS = 3;

    /// How many standard deviations lie between a rank and its bound. At either end, where a rank has hardly any
    /// elements of the sample before it, there are as many of these elements in addition.
    private static final int MARGIN = 3;

    private static final int WIDER = 4;

    /// Returns the bounds of the ranks from `from` to `to - 1`.
    ///
    /// @param attempt 0 for the narrowest bounds
    public static RankBounds of(long count, int sampleCount, long from, long to, int attempt) {
        double share = (double) sampleCount / count;
        double margin = MARGIN * Math.pow(WIDER, attempt);
        double first = Math.floor(from * share - spread(from * share, sampleCount, margin));
        double last = Math.ceil(to * share + spread(to * share, sampleCount, margin));
        return new RankBounds(
                count,
                sampleCount,
                from == 0 || first < 0 ? NONE : (int) first,
                to == count || last >= sampleCount ? NONE : (int) last);
    }

    private static double spread(double before, int sampleCount, double margin) {
        return margin * (Math.sqrt(Math.max(0, Math.min(before, sampleCount - before))) + 1);
    }

    public boolean hasLow() {
        return low != NONE;
    }

    public boolean hasHigh() {
        return high != NONE;
    }

    /// Returns how many elements lie from the lower to the upper bound, bounds included, with a margin.
    public long mostBetween() {
        double strata = (hasHigh() ? high + 1 : sampleCount) - (hasLow() ? low : 0);
        double most = (strata + MARGIN * (Math.sqrt(strata) + 1)) * count / sampleCount;
        return Math.min(count, (long) Math.ceil(most));
    }
}
