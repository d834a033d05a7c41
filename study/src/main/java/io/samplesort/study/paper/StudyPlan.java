package io.samplesort.study.paper;

import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.Subject;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.util.List;
import java.util.Set;

/// What the study measures: the experiments of Section 6 of the paper, on as many sizes as there is time for. A plan
/// does not change; the methods `with…` return another one.
final class StudyPlan {
    /// The input distributions of the paper.
    static final List<InputDistribution> DISTRIBUTIONS = List.of(
            InputDistribution.UNIFORM,
            InputDistribution.GAUSSIAN,
            InputDistribution.BUCKET_SORTED,
            InputDistribution.STAGGERED,
            InputDistribution.DETERMINISTIC_DUPLICATES,
            InputDistribution.SORTED);

    static final Subject PAIRS = Subject.ofPairs(KeyType.U32, KeyType.U32);
    static final Subject U64 = Subject.ofKeys(KeyType.U64);
    static final Subject U32 = Subject.ofKeys(KeyType.U32);
    static final Subject F32 = Subject.ofKeys(KeyType.F32);

    /// The types of elements in the paper.
    static final List<Subject> SUBJECTS = List.of(PAIRS, U64, U32, F32);

    private List<Subject> subjects = SUBJECTS;
    private List<Long> gpuSizes;
    private List<Long> cpuSizes;
    private int repetitions;
    private long cpuWarmUpNanos;
    private boolean isGpuTimed = true;
    private Set<String> systems = Set.of();
    private long seed = 1;

    private StudyPlan() {}

    private StudyPlan(StudyPlan other) {
        subjects = other.subjects;
        gpuSizes = other.gpuSizes;
        cpuSizes = other.cpuSizes;
        repetitions = other.repetitions;
        cpuWarmUpNanos = other.cpuWarmUpNanos;
        isGpuTimed = other.isGpuTimed;
        systems = other.systems;
        seed = other.seed;
    }

    /// Returns the plan with the sizes of the paper. Arrays of the CPU are smaller, because their rates do not change
    /// any more long before the largest size.
    static StudyPlan full() {
        StudyPlan plan = new StudyPlan();
        plan.gpuSizes = Sizes.parse("2^16..2^28");
        plan.cpuSizes = Sizes.parse("2^16..2^25");
        plan.repetitions = 5;
        plan.cpuWarmUpNanos = 500_000_000;
        return plan;
    }

    /// Returns a plan of a few sizes and a few runs, which takes a minute or two.
    static StudyPlan quick() {
        StudyPlan plan = new StudyPlan();
        plan.gpuSizes = Sizes.parse("2^17,2^20,2^23");
        plan.cpuSizes = Sizes.parse("2^16,2^18,2^20");
        plan.repetitions = 3;
        plan.cpuWarmUpNanos = 50_000_000;
        return plan;
    }

    /// Returns this plan for the emulated GPU: one small size in device memory, and no times, which would mean nothing.
    StudyPlan onEmulatedGpu() {
        StudyPlan plan = new StudyPlan(this);
        plan.gpuSizes = List.of(5000L);
        plan.isGpuTimed = false;
        return plan;
    }

    /// Returns this plan with other sizes, in device memory and in arrays.
    StudyPlan withSizes(List<Long> sizes) {
        StudyPlan plan = new StudyPlan(this);
        plan.gpuSizes = sizes;
        plan.cpuSizes = sizes;
        return plan;
    }

    StudyPlan withSubjects(List<Subject> some) {
        StudyPlan plan = new StudyPlan(this);
        plan.subjects = some;
        return plan;
    }

    /// Returns this plan with only these sorts.
    StudyPlan withSystems(Set<String> names) {
        StudyPlan plan = new StudyPlan(this);
        plan.systems = names;
        return plan;
    }

    StudyPlan withSeed(long other) {
        StudyPlan plan = new StudyPlan(this);
        plan.seed = other;
        return plan;
    }

    /// Returns the types of elements.
    List<Subject> subjects() {
        return subjects;
    }

    /// Returns how many elements are sorted in device memory, ascending.
    List<Long> gpuSizes() {
        return gpuSizes;
    }

    /// Returns how many elements are sorted in arrays on the CPU, ascending.
    List<Long> cpuSizes() {
        return cpuSizes;
    }

    /// Returns how often each sort is timed.
    int repetitions() {
        return repetitions;
    }

    /// Returns how long each system sorts each input on the CPU before it is timed, so that its Java code is compiled.
    long cpuWarmUpNanos() {
        return cpuWarmUpNanos;
    }

    /// Returns whether sorts in device memory are timed as well as checked.
    boolean isGpuTimed() {
        return isGpuTimed;
    }

    /// Returns the seed of the inputs.
    long seed() {
        return seed;
    }

    boolean measures(String system) {
        return systems.isEmpty() || systems.contains(system);
    }
}
