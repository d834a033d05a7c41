package io.samplesort;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// Ranks, which are places in sorted order from 0 on: of the first or the last elements, and of quantiles.
///
/// @param from the first rank
/// @param to   the rank after the last one
record Ranks(long from, long to) {
    static final double MEDIAN = 0.5;

    /// Returns the ranks of the first or the last `k` of `count` elements; all ranks if there are no more.
    ///
    /// @throws IllegalArgumentException if `k` is negative
    static Ranks of(long count, long k, boolean isLast) {
        if (k < 0) {
            throw new IllegalArgumentException(
                    "the " + (isLast ? "last " : "first ") + k + " elements: the number must not be negative");
        }
        long some = Math.min(k, count);
        return isLast ? new Ranks(count - some, count) : new Ranks(0, some);
    }

    /// Returns how many ranks there are.
    long count() {
        return to - from;
    }

    /// Returns the rank of a quantile: the nearest rank, as [ArraySelector#quantiles(byte[], double...)] says.
    ///
    /// @throws IllegalArgumentException if there are no elements, or the quantile is not from 0 to 1
    static long ofQuantile(double quantile, long count) {
        if (!(quantile >= 0 && quantile <= 1)) {
            throw new IllegalArgumentException(
                    "the quantile " + quantile + ": must be from 0 to 1, such as 0.99 for the percentile 99");
        }
        if (count == 0) {
            throw new IllegalArgumentException(
                    "there are no elements, and so no quantile " + quantile + ": give at least one element");
        }
        // In binary, 0.07 · 100 is more than 7.
        long notAfter = new BigDecimal(Double.toString(quantile))
                .multiply(BigDecimal.valueOf(count))
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
        return Math.max(0, notAfter - 1);
    }

    /// Returns the ranks of several quantiles.
    static long[] ofQuantiles(double[] quantiles, long count) {
        long[] ranks = new long[quantiles.length];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = ofQuantile(quantiles[i], count);
        }
        return ranks;
    }
}
