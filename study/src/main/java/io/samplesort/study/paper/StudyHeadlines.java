package io.samplesort.study.paper;

import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.Subject;
import io.samplesort.study.historic.HistoricSort.Algorithm;
import io.samplesort.testkit.InputDistribution;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.OptionalLong;

/// The paper's claims about its measurements, and what ours say about the same on the first GPU.
final class StudyHeadlines {
    private static final String THEN = Algorithm.SAMPLE_SORT_2009.toString();
    private static final String TODAY = Contender.OURS.name();
    private static final String NOT_MEASURED = "not measured";

    /// Smaller inputs mostly measure launches, and the published sort runs as a single block on them.
    private static final long FIRST_COUNT = 1L << 20;

    private final StudyRates rates;

    /// One comparison.
    ///
    /// @param claim what is compared
    /// @param paper what the paper says
    /// @param then  what the published sample sort, or another sort of its time, does here
    /// @param today what our sample sort does here
    record Headline(String claim, String paper, String then, String today) {}

    StudyHeadlines(StudyRates rates) {
        this.rates = rates;
    }

    List<Headline> all() {
        List<Headline> headlines = new ArrayList<>();
        String merge = Contender.CUB_MERGE.name();
        String radix = Contender.CUB_RADIX.name();
        headlines.add(over(
                StudyPlan.PAIRS, InputDistribution.UNIFORM, merge, "merge sort", "at least 1.25, on average 1.68"));
        headlines.add(
                over(StudyPlan.PAIRS, InputDistribution.SORTED, merge, "merge sort", "never below 1, on average 1.30"));
        headlines.add(
                over(StudyPlan.PAIRS, InputDistribution.DETERMINISTIC_DUPLICATES, radix, "radix sort", "above 1"));
        headlines.add(
                over(StudyPlan.U64, InputDistribution.UNIFORM, radix, "radix sort", "at least 1.63, on average 2"));
        headlines.add(new Headline(
                "u64, sorted: rate as a multiple of uniform",
                "close to 1",
                relative(THEN, StudyPlan.U64, InputDistribution.SORTED),
                relative(TODAY, StudyPlan.U64, InputDistribution.SORTED)));
        headlines.add(over(
                StudyPlan.U32,
                InputDistribution.UNIFORM,
                Algorithm.GPU_QUICKSORT.toString(),
                "GPU quicksort",
                "on average more than 2"));
        headlines.add(over(
                StudyPlan.F32,
                InputDistribution.UNIFORM,
                Algorithm.HYBRID_SORT.toString(),
                "hybrid sort",
                "on average more than 2"));
        headlines.add(over(StudyPlan.U32, InputDistribution.UNIFORM, radix, "radix sort", "below 1"));
        addDegradation(headlines, Algorithm.BBSORT, StudyPlan.U32, "degrades", "useless");
        addDegradation(headlines, Algorithm.HYBRID_SORT, StudyPlan.F32, "degrades", "crashes");
        for (Subject subject : List.of(StudyPlan.U32, StudyPlan.U64, StudyPlan.PAIRS)) {
            headlines.add(new Headline(
                    subject + ", slowest input: rate as a multiple of uniform, at the largest n",
                    "equally fast on all",
                    slowest(THEN, subject),
                    slowest(TODAY, subject)));
        }
        headlines.add(new Headline(
                "u32, uniform: least rate as a multiple of the greatest, from 2^20 on",
                "nearly constant: almost linear time",
                evenness(THEN),
                evenness(TODAY)));
        return headlines;
    }

    private Headline over(
            Subject subject, InputDistribution distribution, String other, String otherName, String paper) {
        return new Headline(
                subject + ", " + distribution + ": rate as a multiple of " + otherName + "'s",
                paper,
                over(THEN, subject, distribution, other),
                over(TODAY, subject, distribution, other));
    }

    private String over(String system, Subject subject, InputDistribution distribution, String other) {
        return ratios(rates.onFirstGpu(system, subject, distribution), rates.onFirstGpu(other, subject, distribution));
    }

    private String relative(String system, Subject subject, InputDistribution distribution) {
        NavigableMap<Long, Double> ofSystem = rates.onFirstGpu(system, subject, distribution);
        int refusals = rates.refusals(system, subject, distribution);
        String refused = refusals == 0 ? "" : "refused at " + refusals + (refusals == 1 ? " size" : " sizes");
        if (ofSystem.isEmpty() && refusals > 0) {
            return refused;
        }
        String ratios = ratios(ofSystem, rates.onFirstGpu(system, subject, InputDistribution.UNIFORM));
        return refusals == 0 ? ratios : ratios + "; " + refused;
    }

    private void addDegradation(
            List<Headline> headlines, Algorithm algorithm, Subject subject, String skewed, String duplicates) {
        for (InputDistribution distribution : List.of(
                InputDistribution.BUCKET_SORTED,
                InputDistribution.STAGGERED,
                InputDistribution.DETERMINISTIC_DUPLICATES)) {
            headlines.add(new Headline(
                    algorithm + " on " + subject + ", " + distribution + ": rate as a multiple of uniform",
                    distribution == InputDistribution.DETERMINISTIC_DUPLICATES ? duplicates : skewed,
                    relative(algorithm.toString(), subject, distribution),
                    ""));
        }
    }

    private String slowest(String system, Subject subject) {
        NavigableMap<Long, Double> uniform = rates.onFirstGpu(system, subject, InputDistribution.UNIFORM);
        OptionalLong largest = uniform.keySet().stream()
                .mapToLong(Long::longValue)
                .filter(n -> StudyPlan.DISTRIBUTIONS.stream()
                        .anyMatch(distribution -> distribution != InputDistribution.UNIFORM
                                && rates.onFirstGpu(system, subject, distribution)
                                        .containsKey(n)))
                .max();
        if (largest.isEmpty()) {
            return NOT_MEASURED;
        }
        long count = largest.getAsLong();
        String name = "";
        double least = Double.MAX_VALUE;
        for (InputDistribution distribution : StudyPlan.DISTRIBUTIONS) {
            Double rate = rates.onFirstGpu(system, subject, distribution).get(count);
            if (rate != null && rate < least) {
                least = rate;
                name = distribution.toString();
            }
        }
        return String.format(Locale.ROOT, "%.2f (%s, %s)", least / uniform.get(count), name, Sizes.text(count));
    }

    private String evenness(String system) {
        NavigableMap<Long, Double> large = rates.onFirstGpu(system, StudyPlan.U32, InputDistribution.UNIFORM)
                .tailMap(FIRST_COUNT, true);
        if (large.size() < 2) {
            return NOT_MEASURED;
        }
        DoubleSummaryStatistics statistics =
                large.values().stream().mapToDouble(Double::doubleValue).summaryStatistics();
        return String.format(
                Locale.ROOT,
                "%.2f (%s to %s)",
                statistics.getMin() / statistics.getMax(),
                Sizes.text(large.firstKey()),
                Sizes.text(large.lastKey()));
    }

    /// Returns the least, the greatest and the mean ratio over all counts from 2^20 on at which both were measured, in
    /// words. If there are no such counts, the ratio is that at the largest count.
    static String ratios(NavigableMap<Long, Double> rates, NavigableMap<Long, Double> others) {
        long first = rates.isEmpty() ? FIRST_COUNT : Math.min(FIRST_COUNT, rates.lastKey());
        DoubleSummaryStatistics statistics = rates.keySet().stream()
                .filter(others::containsKey)
                .filter(count -> count >= first)
                .mapToDouble(count -> rates.get(count) / others.get(count))
                .summaryStatistics();
        return statistics.getCount() == 0
                ? NOT_MEASURED
                : String.format(
                        Locale.ROOT,
                        "%.2f to %.2f, on average %.2f",
                        statistics.getMin(),
                        statistics.getMax(),
                        statistics.getAverage());
    }
}
