package io.samplesort.shared;

import io.samplesort.cpu.threads.Parallel;
import java.util.function.LongConsumer;

/// The threads that all sorters share.
public final class Workers {
    private Workers() {}

    /// Returns how many threads may work at once: one for each core, unless the common pool has been given fewer.
    public static int most() {
        return Parallel.commonParallelism();
    }

    /// Does the work on numbers 0 to `count - 1` with so many threads at most, the calling one among them. Threads take
    /// the numbers in their order.
    ///
    /// Throws what the work throws first, when no thread works any more.
    public static void forEach(int threads, long count, LongConsumer work) {
        new Parallel(threads).forRanges(count, 1, (from, to) -> {
            for (long number = from; number < to; number++) {
                work.accept(number);
            }
        });
    }
}
