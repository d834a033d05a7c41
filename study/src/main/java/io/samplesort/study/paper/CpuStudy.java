package io.samplesort.study.paper;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.Subject;
import io.samplesort.study.paper.CpuContender.Elements;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The sorts of the study on the CPU. They sort arrays, times are wall times, and each run is checked in full.
final class CpuStudy {
    /// How long a sort runs at least before it is timed for the first time, so that Java compiles its code for the
    /// type.
    private static final long FIRST_WARM_UP_NANOS = 500_000_000;

    private final StudyPlan plan;
    private final Consumer<Map<String, Object>> results;

    CpuStudy(StudyPlan plan, Consumer<Map<String, Object>> results) {
        this.plan = plan;
        this.results = results;
    }

    /// Hands on a result for each system, size and input distribution.
    void measure(Subject subject) {
        Set<String> isCompiled = new HashSet<>();
        try (Sorter ours = subject.sorter(SampleSort.onCpu())) {
            for (long count : plan.cpuSizes()) {
                for (InputDistribution distribution : StudyPlan.DISTRIBUTIONS) {
                    for (CpuContender contender : CpuContender.of(subject, ours)) {
                        if (plan.measures(contender.name())) {
                            long warmUpNanos = Math.max(
                                    plan.cpuWarmUpNanos(), isCompiled.add(contender.name()) ? FIRST_WARM_UP_NANOS : 0);
                            Map<String, Object> result = new LinkedHashMap<>();
                            result.put("system", contender.name());
                            result.put("type", subject.toString());
                            result.put("distribution", distribution.toString());
                            result.put("count", count);
                            measure(result, contender, distribution, warmUpNanos);
                            results.accept(result);
                        }
                    }
                }
            }
        }
    }

    /// Adds the times of a sort to a result, and whether all runs were right.
    private void measure(
            Map<String, Object> result, CpuContender contender, InputDistribution distribution, long warmUpNanos) {
        long count = Results.count(result);
        CheckedRuns runs = new CheckedRuns(contender, distribution, Math.toIntExact(count), plan.seed());
        long begin = System.nanoTime();
        do {
            runs.run();
        } while (System.nanoTime() - begin < warmUpNanos);
        double[] millis = new double[plan.repetitions()];
        for (int repetition = 0; repetition < millis.length; repetition++) {
            millis[repetition] = runs.run();
        }
        Statistics.put(result, "wall", millis, count);
        result.put("verified", runs.allRight);
    }

    /// Runs of one sort on one input.
    private static final class CheckedRuns {
        private final CpuContender contender;
        private final Elements input;
        private final Elements work;
        private final Fingerprint expected;
        private boolean allRight = true;

        CheckedRuns(CpuContender contender, InputDistribution distribution, int count, long seed) {
            this.contender = contender;
            input = Elements.of(contender.subject(), count);
            work = Elements.of(contender.subject(), count);
            distribution.fill(input.keySegment(), contender.subject().key(), seed);
            InputDistribution.UNIFORM.fill(input.payloadSegment(), KeyType.U32, seed + 1);
            expected = fingerprint(contender.subject(), input);
        }

        /// Sorts a copy of the input.
        ///
        /// @return how long the sort took, in milliseconds
        double run() {
            work.keySegment().copyFrom(input.keySegment());
            work.payloadSegment().copyFrom(input.payloadSegment());
            long start = System.nanoTime();
            contender.sort().accept(work);
            double millis = (System.nanoTime() - start) * 1e-6;
            Subject subject = contender.subject();
            allRight &= ResultCheck.firstViolation(work.keySegment(), subject.key(), false)
                            .isEmpty()
                    && fingerprint(subject, work).equals(expected);
            return millis;
        }
    }

    private static Fingerprint fingerprint(Subject subject, Elements elements) {
        return subject.payload() == null
                ? Fingerprint.of(elements.keySegment(), subject.key())
                : Fingerprint.of(elements.keySegment(), subject.key(), elements.payloadSegment(), subject.payload());
    }
}
