package io.samplesort.bench.device;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.results.DistributionOption;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.Subject;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.testkit.InputDistribution;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench gpu`.
@Command(name = "gpu", description = "Sorts in device memory: samplesort, CUB's radix sort and CUB's merge sort.")
public final class GpuCommand implements Callable<Integer> {
    @Option(
            names = "--types",
            split = ",",
            defaultValue = "u32,u64,i64,f32,f64,u32+u32,u64+u64,struct16",
            description = "Such as u64,f32,u32+u32, or struct16, two u64 fields compared one after the other;"
                    + " default: ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(
            names = "--distribution-sizes",
            description = "Other sizes, at which all input distributions are measured, such as 2^23,2^27.")
    private String distributionSizes;

    @Mixin
    private DistributionOption distributionOption;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^16..2^30");

    @Mixin
    private GpuOptions options;

    @Override
    public Integer call() {
        List<Subject> subjects = types.stream().map(Subject::parse).toList();
        SortedMap<Long, Set<InputDistribution>> inputs = inputs();
        Baselines baselines = options.baselines("baseline_sort");
        Results results = options.results(baselines);
        boolean allRight = true;
        try (GpuBenchmark benchmark = new GpuBenchmark(options, baselines, result -> {
            results.add(result);
            print(result);
        })) {
            for (Subject subject : subjects) {
                for (Map.Entry<Long, Set<InputDistribution>> input : inputs.entrySet()) {
                    try {
                        allRight &= benchmark.measure(subject, input.getKey(), List.copyOf(input.getValue()));
                    } catch (InsufficientDeviceMemoryException e) {
                        System.err.println(
                                "left out: " + input.getKey() + " elements of " + subject + ": " + e.getMessage());
                        allRight = false;
                    }
                }
            }
        }
        return allRight ? 0 : 1;
    }

    /// Returns the input distributions that are measured for each type, by size.
    private SortedMap<Long, Set<InputDistribution>> inputs() {
        SortedMap<Long, Set<InputDistribution>> inputs = new TreeMap<>();
        for (long size : sizeOption.sizes()) {
            inputs.computeIfAbsent(size, n -> new LinkedHashSet<>()).addAll(distributionOption.distributions());
        }
        for (long size : distributionSizes == null ? List.<Long>of() : Sizes.parse(distributionSizes)) {
            inputs.computeIfAbsent(size, n -> new LinkedHashSet<>()).addAll(List.of(InputDistribution.values()));
        }
        return inputs;
    }

    @SuppressWarnings("FormatString") // The check believes that values of a map cannot be formatted.
    private static void print(Map<String, Object> result) {
        System.out.printf(
                Locale.ROOT,
                "%-10s %-8s %-24s %12d  %8.2f Gkeys/s  %9.3f ms%s%n",
                result.get("system"),
                result.get("type"),
                result.get("distribution"),
                result.get("count"),
                result.get("deviceGigaKeysPerSecond"),
                result.get("deviceMillisMedian"),
                Results.isTrue(result, "verified") ? "" : "  WRONG");
    }
}
