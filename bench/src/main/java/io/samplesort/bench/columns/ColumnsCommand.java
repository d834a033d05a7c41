package io.samplesort.bench.columns;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.IndexRequest;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.IndexBenchmark;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `bench columns`.
@Command(
        name = "columns",
        description = "Sorts of the indexes of rows by three key columns in device memory, and CUB's merge sort.")
public final class ColumnsCommand implements Callable<Integer> {
    private static final String RATE = "MillionRowsPerSecond";

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^24");

    @Mixin
    private GpuOptions options;

    @Override
    public Integer call() {
        Baselines baselines = options.baselines("baseline_sort_columns");
        Results results = options.results(baselines);
        IndexBenchmark benchmark = new IndexBenchmark(options, baselines, result -> {
            results.add(result);
            print(result);
        });
        IndexRequest request = new IndexRequest(0, "rows by key columns", "cub-merge-entries");
        boolean allRight = true;
        for (long size : sizeOption.sizes()) {
            try {
                int count = Math.toIntExact(size);
                allRight &= benchmark.measure(request, RATE, count, () -> new ColumnWorkload(options, count));
            } catch (InsufficientDeviceMemoryException e) {
                System.err.println("left out: " + size + " rows: " + e.getMessage());
                allRight = false;
            }
        }
        return allRight ? 0 : 1;
    }

    @SuppressWarnings("FormatString") // The check believes that values of a map cannot be formatted.
    private static void print(Map<String, Object> result) {
        System.out.printf(
                Locale.ROOT,
                "%-20s %12d  %8.1f 10^6 rows/s  %9.3f ms%s%n",
                result.get("system"),
                result.get("count"),
                result.get("device" + RATE),
                result.get("deviceMillisMedian"),
                Results.isTrue(result, "verified") ? "" : "  WRONG");
        if (result.get("phaseMillis") instanceof Map<?, ?> phases) {
            phases.forEach((phase, millis) -> System.out.printf(Locale.ROOT, "    %-32s %9.3f ms%n", phase, millis));
            System.out.printf(
                    Locale.ROOT, "    %-32s %9.3f ms%n", "gather of the doubles", result.get("gatherWallMillisMedian"));
        }
    }
}
