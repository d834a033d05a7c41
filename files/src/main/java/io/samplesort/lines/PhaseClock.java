package io.samplesort.lines;

import io.samplesort.types.SortReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Measures how long a sort and each of its phases take.
final class PhaseClock {
    /// The work of a phase.
    interface Work<T> {
        T run() throws IOException;
    }

    /// The work of a phase without a result.
    interface Step {
        void run() throws IOException;
    }

    private final long start = System.nanoTime();
    private final Map<String, Long> phaseNanos = new LinkedHashMap<>();

    <T> T timed(String phase, Work<T> work) throws IOException {
        long began = System.nanoTime();
        try {
            return work.run();
        } finally {
            phaseNanos.merge(phase, System.nanoTime() - began, Long::sum);
        }
    }

    void run(String phase, Step step) throws IOException {
        timed(phase, () -> {
            step.run();
            return null;
        });
    }

    /// Returns the phases in the order in which they first began.
    List<SortReport.Phase> phases() {
        List<SortReport.Phase> phases = new ArrayList<>();
        phaseNanos.forEach((name, nanos) -> phases.add(new SortReport.Phase(name, Duration.ofNanos(nanos))));
        return phases;
    }

    /// Returns the time since the beginning.
    Duration total() {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
