package io.samplesort.bench.device;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.results.DistributionOption;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.workload.Subject;
import io.samplesort.testkit.InputDistribution;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench wait`.
@Command(
        name = "wait",
        description =
                "What a caller waits for each of the first sorts of a process in device memory, and for later ones.")
public final class WaitCommand implements Callable<Integer> {
    @Option(
            names = "--types",
            split = ",",
            defaultValue = "u64",
            description = "Such as u64,f32,u32+u32; only the first one is sorted by a young process; default:"
                    + " ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(
            names = "--sorts",
            defaultValue = "3000",
            description = "How often to sort each type and size; default: ${DEFAULT-VALUE}.")
    private int sorts;

    @Mixin
    private DistributionOption distributionOption;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^20");

    @Mixin
    private GpuOptions options;

    @Override
    public Integer call() {
        Baselines baselines = options.baselines("baseline_sort");
        Results results = options.results(baselines);
        boolean allRight = true;
        try (WaitBenchmark benchmark = new WaitBenchmark(options, sorts, baselines, result -> {
            results.add(result);
            print(result);
        })) {
            for (String type : types) {
                for (long size : sizeOption.sizes()) {
                    for (InputDistribution distribution : distributionOption.distributions()) {
                        allRight &= benchmark.measure(Subject.parse(type), size, distribution);
                    }
                }
            }
        }
        return allRight ? 0 : 1;
    }

    @SuppressWarnings("FormatString") // The check believes that values of a map cannot be formatted.
    private static void print(Map<String, Object> result) {
        boolean isBurst = result.containsKey("enqueuedMillisMedian");
        System.out.printf(
                Locale.ROOT,
                "%-10s %-8s %-16s %12d  %-16s  %9.4f ms%s%n",
                result.get("system"),
                result.get("type"),
                result.get("distribution"),
                result.get("count"),
                isBurst ? "without waiting" : result.get("fromSort") + " to " + result.get("toSort"),
                result.get(isBurst ? "enqueuedMillisMedian" : "wallMillisMedian"),
                Results.isTrue(result, "verified") ? "" : "  WRONG");
    }
}
