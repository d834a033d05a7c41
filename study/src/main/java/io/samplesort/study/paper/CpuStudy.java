package io.samplesort.study.paper;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.Subject;
import io.samplesort.study.paper.CpuContender.Elements;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The study's sorts on the CPU: arrays in, arrays out, wall times. Every run is checked in full.
final class CpuStudy {
    /// The first time of a sort, at least: Java compiles its code for the type then.
    private static final long FIRST_WARM_UP_NANOS = 500_000_000;

    private final StudyPlan plan;
    private final long seed;
    private final Consumer<Map<String, Object>> results;

    CpuStudy(StudyPlan plan, long seed, Consumer<Map<String, Object>> results) {
        this.plan = plan;
        this.seed = seed;
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
                            results.accept(
                                    measure(contender, subject, distribution, Math.toIntExact(count), warmUpNanos));
                        }
                    }
                }
            }
        }
    }

    private Map<String, Object> measure(
            CpuContender contender, Subject subject, InputDistribution distribution, int count, long warmUpNanos) {
        Elements input = Elements.of(contender.subject(), count);
        distribution.fill(input.keySegment(), contender.subject().key(), seed);
        InputDistribution.UNIFORM.fill(input.payloadSegment(), KeyType.U32, seed + 1);
        Fingerprint expected = fingerprint(contender.subject(), input);
        Elements work = Elements.of(contender.subject(), count);
        double[] millis = new double[plan.repetitions()];
        boolean isRight = true;
        long begin = System.nanoTime();
        for (int repetition = -1; repetition < millis.length; repetition++) {
            copy(input.keySegment(), work.keySegment());
            copy(input.payloadSegment(), work.payloadSegment());
            long start = System.nanoTime();
            contender.sort().accept(work);
            double elapsed = (System.nanoTime() - start) * 1e-6;
            isRight &= ResultCheck.firstViolation(
                                    work.keySegment(), contender.subject().key(), false)
                            .isEmpty()
                    && fingerprint(contender.subject(), work).equals(expected);
            if (repetition >= 0) {
                millis[repetition] = elapsed;
            } else if (System.nanoTime() - begin < warmUpNanos) {
                repetition--;
            }
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", contender.name());
        result.put("type", subject.toString());
        result.put("distribution", distribution.toString());
        result.put("count", (long) count);
        Statistics.put(result, "wall", millis, count);
        result.put("verified", isRight);
        return result;
    }

    private static void copy(MemorySegment from, MemorySegment to) {
        MemorySegment.copy(from, 0, to, 0, from.byteSize());
    }

    private static Fingerprint fingerprint(Subject subject, Elements elements) {
        return subject.payload() == null
                ? Fingerprint.of(elements.keySegment(), subject.key())
                : Fingerprint.of(elements.keySegment(), subject.key(), elements.payloadSegment(), subject.payload());
    }
}
