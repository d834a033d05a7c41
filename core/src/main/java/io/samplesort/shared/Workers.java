package io.samplesort.shared;

import io.samplesort.cpu.threads.Parallel;

/// The threads that all sorters share.
public final class Workers {
    private Workers() {}

    /// Returns how many threads may work at once: one for each core, unless the common pool has been given fewer.
    public static int most() {
        return Parallel.commonParallelism();
    }

    /// Work on the numbers `from` to `to - 1`.
    public interface Ranges {
        void run(long from, long to);
    }

    /// Does the work on numbers 0 to `count - 1` with at most this many threads, the calling one included. Threads take
    /// the numbers in ascending order. The loop over a range is in the work itself, since Java's compiler takes tens of
    /// megabytes more for a loop that is nested in another lambda.
    ///
    /// Throws the first exception of the work, when no thread works any more.
    public static void forRanges(int threads, long count, Ranges work) {
        new Parallel(threads).forRanges(count, 1, work::run);
    }
}
