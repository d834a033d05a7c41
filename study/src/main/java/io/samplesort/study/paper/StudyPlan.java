package io.samplesort.study.paper;

import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.Subject;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.util.List;
import java.util.Set;

/// What the study measures: the experiments of Section 6 of the paper, on as many sizes as there is time for.
///
/// @param subjects       types of elements
/// @param gpuSizes       counts, ascending, in device memory
/// @param cpuSizes       counts, ascending, in arrays
/// @param repetitions    timed runs of each
/// @param cpuWarmUpNanos of each system and input on the CPU, until its Java code is compiled
/// @param systems        names of the sorts to measure; empty for all
record StudyPlan(
        List<Subject> subjects,
        List<Long> gpuSizes,
        List<Long> cpuSizes,
        int repetitions,
        long cpuWarmUpNanos,
        Set<String> systems) {
    /// Those of the paper.
    static final List<InputDistribution> DISTRIBUTIONS = List.of(
            InputDistribution.UNIFORM,
            InputDistribution.GAUSSIAN,
            InputDistribution.BUCKET_SORTED,
            InputDistribution.STAGGERED,
            InputDistribution.DETERMINISTIC_DUPLICATES,
            InputDistribution.SORTED);

    static final Subject PAIRS = new Subject(KeyType.U32, KeyType.U32);
    static final Subject U64 = new Subject(KeyType.U64, null);
    static final Subject U32 = new Subject(KeyType.U32, null);
    static final Subject F32 = new Subject(KeyType.F32, null);

    private static final List<Subject> SUBJECTS = List.of(PAIRS, U64, U32, F32);

    /// The sizes of the paper, but for arrays of the CPU, whose rates change no more long before.
    static StudyPlan full() {
        return new StudyPlan(SUBJECTS, Sizes.parse("2^16..2^28"), Sizes.parse("2^16..2^25"), 5, 500_000_000, Set.of());
    }

    /// A few sizes, a few runs: what shows in a minute or two.
    static StudyPlan quick() {
        return new StudyPlan(
                SUBJECTS, Sizes.parse("2^17,2^20,2^23"), Sizes.parse("2^16,2^18,2^20"), 3, 50_000_000, Set.of());
    }

    /// The same with one small size in device memory: enough for the emulated GPU, whose times mean nothing.
    StudyPlan onEmulatedGpu() {
        return new StudyPlan(subjects, List.of(5000L), cpuSizes, repetitions, cpuWarmUpNanos, systems);
    }

    StudyPlan withSizes(List<Long> sizes) {
        return new StudyPlan(subjects, sizes, sizes, repetitions, cpuWarmUpNanos, systems);
    }

    StudyPlan withSubjects(List<Subject> some) {
        return new StudyPlan(some, gpuSizes, cpuSizes, repetitions, cpuWarmUpNanos, systems);
    }

    StudyPlan withSystems(Set<String> some) {
        return new StudyPlan(subjects, gpuSizes, cpuSizes, repetitions, cpuWarmUpNanos, some);
    }

    boolean measures(String system) {
        return systems.isEmpty() || systems.contains(system);
    }
}
