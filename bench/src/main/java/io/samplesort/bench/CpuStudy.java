package io.samplesort.bench;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.CpuContender.Elements;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// The study's sorts on the CPU: arrays in, arrays out, wall times. Every run is checked in full.
final class CpuStudy {
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
        try (Sorter ours = subject.sorter(SampleSort.onCpu())) {
            for (long count : plan.cpuSizes()) {
                for (InputDistribution distribution : StudyPlan.DISTRIBUTIONS) {
                    for (CpuContender contender : CpuContender.of(subject, ours)) {
                        if (plan.measures(contender.name())) {
                            results.accept(measure(contender, subject, distribution, Math.toIntExact(count)));
                        }
                    }
                }
            }
        }
    }

    private Map<String, Object> measure(
            CpuContender contender, Subject subject, InputDistribution distribution, int count) {
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
            } else if (System.nanoTime() - begin < plan.cpuWarmUpNanos()) {
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
