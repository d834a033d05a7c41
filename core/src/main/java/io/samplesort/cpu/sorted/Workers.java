package io.samplesort.cpu.sorted;

import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/// Runs one thing after the other by all threads, each of which has its own state.
final class Workers {
    private Workers() {}

    /// Does `count` things, which begin roughly from first to last.
    ///
    /// @param workers makes what one thread does with a thing
    static void each(int threads, long count, Supplier<LongConsumer> workers) {
        try (Crew crew = new Parallel(threads).crew()) {
            AtomicLong next = new AtomicLong();
            crew.forRanges(Math.min(threads, count), 1, (from, to) -> {
                LongConsumer worker = null;
                for (long thing = next.getAndIncrement(); thing < count; thing = next.getAndIncrement()) {
                    crew.watch().mayStopReading();
                    if (worker == null) {
                        worker = workers.get();
                    }
                    worker.accept(thing);
                }
            });
        }
    }
}
