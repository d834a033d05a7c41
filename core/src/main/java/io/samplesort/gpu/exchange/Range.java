package io.samplesort.gpu.exchange;

/// Consecutive elements or places, from `begin` to just before `end`.
public record Range(long begin, long end) {
    /// Returns how many there are; below 1 if there are none.
    public long count() {
        return end - begin;
    }

    /// Returns those of them from `from` to just before `to`.
    public Range within(long from, long to) {
        return new Range(Math.max(begin, from), Math.min(end, to));
    }
}
