package io.samplesort.bench.host;

import io.samplesort.Sorter;
import io.samplesort.bench.measure.LinkSpeed;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.StageRows;
import io.samplesort.bench.results.Statistics;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Measures sorts of longs in host memory, one after the other on the same input. Times are wall times. The last result
/// before the timed runs and the result of the last timed run are checked in full.
final class HostBenchmark {
    /// How long each system sorts each size before it is timed, so that its Java code is compiled.
    private static final long WARM_UP_NANOS = 500_000_000;

    private final Sorter sorter;
    private final LinkSpeed link;
    private final int repetitions;
    private final long seed;
    private final Results results;

    /// The measurements of one contender.
    ///
    /// @param report the report of the last sort; null if the contender makes none
    private record Measurement(double[] millis, SortReport report, boolean isRight) {}

    /// @param sorter our sorter, whose tuning stands in the results
    /// @param link   null if the sorter uses no GPU
    HostBenchmark(Sorter sorter, LinkSpeed link, int repetitions, long seed, Results results) {
        this.sorter = sorter;
        this.link = link;
        this.repetitions = repetitions;
        this.seed = seed;
        this.results = results;
    }

    /// Measures all contenders on one input and adds a result of each.
    ///
    /// @return whether all results were right
    boolean measure(List<HostContender> contenders, InputDistribution distribution, int size) {
        long[] input = new long[size];
        distribution.fill(MemorySegment.ofArray(input), KeyType.I64, seed);
        long[] expected = input.clone();
        Arrays.parallelSort(expected);
        boolean allRight = true;
        for (HostContender contender : contenders) {
            Measurement measurement = measure(contender, input, expected);
            contender.release();
            allRight &= measurement.isRight;
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("system", contender.name());
            result.put("type", "i64");
            result.put("distribution", distribution.toString());
            result.put("count", (long) size);
            complete(result, measurement);
            results.add(result);
        }
        return allRight;
    }

    private Measurement measure(HostContender contender, long[] input, long[] expected) {
        long begin = System.nanoTime();
        do {
            contender.load(input);
            contender.sort();
        } while (System.nanoTime() - begin < WARM_UP_NANOS);
        boolean isRight = contender.hasSorted(expected);
        double[] millis = new double[repetitions];
        SortReport report = null;
        for (int repetition = 0; repetition < repetitions; repetition++) {
            contender.load(input);
            long start = System.nanoTime();
            report = contender.sort();
            millis[repetition] = (System.nanoTime() - start) * 1e-6;
        }
        return new Measurement(millis, report, isRight && contender.hasSorted(expected));
    }

    /// Adds what was measured to a result, and prints it.
    private void complete(Map<String, Object> result, Measurement measurement) {
        long size = Results.count(result);
        double median = Statistics.median(measurement.millis);
        Statistics.put(result, "wall", measurement.millis, size);
        String note = measurement.isRight ? "" : "  WRONG";
        SortReport report = measurement.report;
        if (report != null && !report.stages().isEmpty()) {
            double timesLink = median / link.millis(size * Long.BYTES);
            result.put("timesLink", timesLink);
            result.put("stages", StageRows.of(report));
            sorter.tuning().ifPresent(values -> result.put("tuning", values.parameters()));
            note = String.format(
                    Locale.ROOT, "  %.3f times the link's time%s%s", timesLink, StageRows.text(report), note);
        }
        result.put("verified", measurement.isRight);
        System.out.printf(
                Locale.ROOT,
                "%-28s %-12s %10d  %9.1f million keys/s  %9.3f ms%s%n",
                result.get("system"),
                result.get("distribution"),
                size,
                size / median * 1e-3,
                median,
                note);
    }
}
