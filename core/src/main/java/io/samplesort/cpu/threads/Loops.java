package io.samplesort.cpu.threads;

/// Runs loops over ranges on the calling thread and on helpers, as far as these are free.
public interface Loops {
    /// Work on the elements `from..to`.
    @FunctionalInterface
    interface RangeBody {
        void accept(long from, long to);
    }

    /// Calls `body` for ranges of at most `grain` elements that together are `0..count`, roughly from first to last.
    /// When this returns or throws, no call is running any more. It throws the first exception of a call.
    void forRanges(long count, long grain, RangeBody body);
}
