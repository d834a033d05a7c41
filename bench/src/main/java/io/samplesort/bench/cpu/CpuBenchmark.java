package io.samplesort.bench.cpu;

import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Statistics;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Measures sorts on the CPU by turns. Each repetition has a fresh input, which all contenders sort one after the
/// other, and every result is checked: the order, and that no element was lost or changed.
final class CpuBenchmark {
    private static final Duration REST = Duration.ofMillis(30);

    private final int repetitions;
    private final int warmUps;
    private final long seed;
    private final Results results;

    /// What one contender has done so far.
    private static final class Course {
        private final CpuContender contender;
        private final double[] millis;
        private final Map<String, double[]> phaseMillis = new LinkedHashMap<>();
        private boolean isRight = true;

        Course(CpuContender contender, int repetitions) {
            this.contender = contender;
            this.millis = new double[repetitions];
        }
    }

    CpuBenchmark(int repetitions, int warmUps, long seed, Results results) {
        this.repetitions = repetitions;
        this.warmUps = warmUps;
        this.seed = seed;
        this.results = results;
    }

    /// Measures all contenders and adds a result of each that can sort the input.
    ///
    /// @return whether all results were right
    boolean measure(
            List<CpuContender> contenders, CpuInput input, InputDistribution distribution, int count, int threads) {
        List<Course> courses = new ArrayList<>();
        contenders.forEach(contender -> courses.add(new Course(contender, repetitions)));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment elements = arena.allocate((long) count * input.elementBytes(), 64);
            MemorySegment payloads = input.payloadBytes() == 0
                    ? MemorySegment.NULL
                    : arena.allocate((long) count * input.payloadBytes(), 64);
            for (int repetition = -warmUps; repetition < repetitions; repetition++) {
                input.fill(elements, payloads, distribution, seed + repetition + warmUps);
                Fingerprint fingerprint = input.fingerprint(elements, payloads);
                int now = repetition;
                courses.removeIf(course -> {
                    course.contender.load(elements, payloads);
                    return !run(course, input, fingerprint, now);
                });
            }
        }
        boolean allRight = true;
        for (Course course : courses) {
            add(course, input, distribution, count, threads);
            allRight &= course.isRight;
        }
        return allRight;
    }

    /// Sorts what was loaded, and checks the result.
    ///
    /// @return false if the contender cannot sort such elements
    private static boolean run(Course course, CpuInput input, Fingerprint fingerprint, int repetition) {
        restThreads();
        long start = System.nanoTime();
        boolean hasSorted = course.contender.sort();
        long waited = System.nanoTime() - start;
        long nanos = course.contender.nanos() < 0 ? waited : course.contender.nanos();
        if (!hasSorted) {
            return false;
        }
        MemorySegment elements = course.contender.elements();
        course.isRight &= input.isSorted(elements, course.contender.payloads(), course.contender.isStable())
                && input.fingerprint(elements, course.contender.payloads()).equals(fingerprint);
        if (repetition >= 0) {
            course.millis[repetition] = nanos * 1e-6;
            SortReport report = course.contender.report();
            if (report != null) {
                report.phases()
                        .forEach(phase -> course.phaseMillis
                                        .computeIfAbsent(phase.name(), name -> new double[course.millis.length])[
                                        repetition] =
                                phase.time().toNanos() * 1e-6);
            }
        }
        return true;
    }

    /// Waits until no thread of the contender before spins any more, since it would take a core from this one. Threads
    /// of GNU's OpenMP spin for 300,000 pauses after a sort, which take 20 ms at 140 cycles each.
    private static void restThreads() {
        try {
            Thread.sleep(REST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        }
    }

    private void add(Course course, CpuInput input, InputDistribution distribution, int count, int threads) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", course.contender.name());
        if (course.contender.version() != null) {
            result.put("version", course.contender.version());
        }
        result.put("type", input.toString());
        result.put("distribution", distribution.toString());
        result.put("count", (long) count);
        result.put("threads", threads);
        Statistics.put(result, "wall", course.millis, count);
        if (!course.phaseMillis.isEmpty()) {
            Map<String, Double> medians = new LinkedHashMap<>();
            course.phaseMillis.forEach((phase, millis) -> medians.put(phase, Statistics.median(millis)));
            result.put("phaseMillis", medians);
        }
        result.put("verified", course.isRight);
        results.add(result);
        double median = Statistics.median(course.millis);
        System.out.printf(
                Locale.ROOT,
                "%-24s %-10s %-24s %10d  %2d threads  %8.1f million elements/s  %9.3f ms%s%n",
                course.contender.name(),
                input,
                distribution,
                count,
                threads,
                count / median * 1e-3,
                median,
                course.isRight ? "" : "  WRONG");
    }
}
