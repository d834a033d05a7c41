package io.samplesort.bench.gpus;

import io.samplesort.Sorter;
import io.samplesort.bench.results.StageRows;
import io.samplesort.bench.results.Statistics;
import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The times and reports of the sorts of one sorter.
final class TimedSort implements AutoCloseable {
    private final Sorter sorter;
    private final double[] millis;
    private final Map<String, double[]> phaseMillis = new LinkedHashMap<>();
    private SortReport report;

    TimedSort(Sorter sorter, int repetitions) {
        this.sorter = sorter;
        millis = new double[repetitions];
    }

    /// Sorts once.
    ///
    /// @param turn which time it is; those below 0 are not timed
    void run(Function<Sorter, Supplier<SortReport>> sort, int turn) {
        Supplier<SortReport> call = sort.apply(sorter);
        long start = System.nanoTime();
        report = call.get();
        long nanos = System.nanoTime() - start;
        if (turn >= 0) {
            millis[turn] = nanos * 1e-6;
            for (SortReport.Phase phase : report.phases()) {
                phaseMillis.computeIfAbsent(phase.name(), name -> new double[millis.length])[turn] =
                        millis(phase.time());
            }
        }
    }

    /// Adds what was measured; for phases, the medians.
    void addTo(Map<String, Object> result, long count) {
        Statistics.put(result, "wall", millis, count);
        result.put("device", report.device());
        result.put("extraBytes", report.extraBytes());
        if (!phaseMillis.isEmpty()) {
            Map<String, Object> medians = new LinkedHashMap<>();
            phaseMillis.forEach((name, times) -> medians.put(name, Statistics.median(times)));
            result.put("phaseMillis", medians);
            way().ifPresent(way -> result.put("way", way));
        }
        if (!report.stages().isEmpty()) {
            result.put("stages", StageRows.of(report));
        }
        report.exchange().ifPresent(exchange -> {
            result.put("storedElements", exchange.storedElements());
            result.put("copiedElements", exchange.copiedElements());
            result.put("sizes", exchange.sizes());
            result.put("received", exchange.received());
            result.put("balance", exchange.balance());
        });
        sorter.tuning().ifPresent(values -> result.put("tuning", values.parameters()));
    }

    /// Returns in which way several GPUs have sorted, which the last step that is typical of a way shows.
    private Optional<String> way() {
        Set<String> names = report.phases().stream().map(SortReport.Phase::name).collect(Collectors.toSet());
        Map<String, String> ways = new LinkedHashMap<>();
        ways.put("sort_parts", "pieces");
        ways.put("first_pass", "buckets");
        ways.put("sort_on_one_gpu", "one of the GPUs");
        ways.put("sort_and_merge", "merged");
        ways.put("check_order", "in order already");
        List<String> found = ways.keySet().stream().filter(names::contains).toList();
        return found.stream().findFirst().map(ways::get);
    }

    private static double millis(Duration time) {
        return time.toNanos() * 1e-6;
    }

    @Override
    public void close() {
        sorter.close();
    }
}
