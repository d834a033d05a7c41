package io.samplesort.gpu.exchange;

import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// How long a sort on several GPUs and its steps take, by the clock of the host. It waits for all GPUs after each step
/// but the sample, most of whose time counts in the step after it.
final class ExchangeClock {
    private final long start = System.nanoTime();
    private final List<SortReport.Phase> phases = new ArrayList<>();

    <T> T timed(String name, Supplier<T> step) {
        long begin = System.nanoTime();
        T result = step.get();
        phases.add(new SortReport.Phase(name, Duration.ofNanos(System.nanoTime() - begin)));
        return result;
    }

    void timed(String name, Runnable step) {
        timed(name, () -> {
            step.run();
            return true;
        });
    }

    /// Returns the time since the sort began.
    Duration total() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    List<SortReport.Phase> phases() {
        return List.copyOf(phases);
    }
}
