package io.samplesort.bench.objects;

import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Measures sorts of Java objects by turns: in each repetition all contenders sort the same objects, one after the
/// other, and every result is compared with the first, reference by reference. All sorts are stable, so all must agree.
final class ObjectBenchmark {
    /// Small sorts are repeated within one measurement until this many objects have been sorted.
    private static final int LEAST_OBJECTS = 1 << 16;

    /// Small sorts need more than a few runs until all of their code is compiled. Each gets this time, however slow the
    /// others are.
    private static final long WARM_UP_NANOS = 300_000_000;

    private final int repetitions;
    private final int warmUps;
    private final long seed;
    private final Results results;

    ObjectBenchmark(int repetitions, int warmUps, long seed, Results results) {
        this.repetitions = repetitions;
        this.warmUps = warmUps;
        this.seed = seed;
        this.results = results;
    }

    /// Measures all contenders and adds a result of each.
    ///
    /// @return whether all results were right
    boolean measure(ObjectJob job, List<ObjectContender> contenders, int count, int threads) {
        Trade[] trades = Trade.draw(count, seed);
        Trade[] expected = trades.clone();
        Arrays.sort(expected, job.comparator());
        double[][] millis = new double[contenders.size()][repetitions];
        boolean[] isRight = new boolean[contenders.size()];
        Arrays.fill(isRight, true);
        for (ObjectContender contender : contenders) {
            warmUp(contender, trades);
        }
        for (int repetition = 0; repetition < repetitions; repetition++) {
            for (int c = 0; c < contenders.size(); c++) {
                List<Trade[]> copies = copies(trades);
                long start = System.nanoTime();
                for (Trade[] copy : copies) {
                    contenders.get(c).sort().run(copy);
                }
                double took = (System.nanoTime() - start) * 1e-6 / copies.size();
                for (Trade[] copy : copies) {
                    isRight[c] &= isSame(copy, expected);
                }
                millis[c][repetition] = took;
            }
        }
        boolean allRight = true;
        for (int c = 0; c < contenders.size(); c++) {
            add(contenders.get(c).name(), job, count, threads, millis[c], isRight[c]);
            allRight &= isRight[c];
        }
        return allRight;
    }

    private void warmUp(ObjectContender contender, Trade[] trades) {
        long start = System.nanoTime();
        for (int run = 0; run < warmUps || warmUps > 0 && System.nanoTime() - start < WARM_UP_NANOS; run++) {
            copies(trades).forEach(contender.sort()::run);
        }
    }

    private static List<Trade[]> copies(Trade[] trades) {
        List<Trade[]> copies = new ArrayList<>();
        for (int sorted = 0; sorted < LEAST_OBJECTS; sorted += trades.length) {
            copies.add(trades.clone());
        }
        return copies;
    }

    @SuppressWarnings("ReferenceEquality") // A stable sort has the very same objects.
    private static boolean isSame(Trade[] sorted, Trade[] expected) {
        for (int i = 0; i < expected.length; i++) {
            if (sorted[i] != expected[i]) {
                return false;
            }
        }
        return true;
    }

    private void add(String system, ObjectJob job, int count, int threads, double[] millis, boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("job", job.toString());
        result.put("count", (long) count);
        result.put("threads", threads);
        Statistics.put(result, "wall", "GigaElementsPerSecond", millis, count);
        result.put("verified", isRight);
        results.add(result);
        double median = Statistics.median(millis);
        System.out.printf(
                Locale.ROOT,
                "%-22s %-18s %10d  %2d threads  %8.2f million objects/s  %10.3f ms%s%n",
                system,
                job,
                count,
                threads,
                count / median * 1e-3,
                median,
                isRight ? "" : "  WRONG");
    }
}
