package io.samplesort.bench.records;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.workload.RecordInput;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench records`.
@Command(
        name = "records",
        description = "Sorts records by any order in device memory, and CUB's merge sort with the same order and,"
                + " where there is one, its radix sort.")
public final class RecordsCommand implements Callable<Integer> {
    @Option(
            names = "--jobs",
            split = ",",
            defaultValue = "struct16,struct16-u64,struct32,record100,argsort-u64,stable-u32+u32",
            description = "What is sorted, and by which order; default: ${DEFAULT-VALUE}.")
    private List<String> jobs;

    @Option(
            names = "--inputs",
            split = ",",
            defaultValue = "uniform,duplicates",
            description = "How the first compared field is drawn: uniform, or duplicates, which is one of 2^20 values;"
                    + " default: ${DEFAULT-VALUE}.")
    private List<String> inputs;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^20,2^24,2^26");

    @Mixin
    private GpuOptions options;

    @Override
    public Integer call() {
        List<RecordJob> parsedJobs = jobs.stream().map(RecordJob::parse).toList();
        List<RecordInput> parsedInputs = inputs.stream().map(RecordInput::parse).toList();
        List<Long> counts = sizeOption.sizes();
        Baselines baselines = options.baselines("baseline_sort_records");
        Results results = options.results(baselines);
        boolean allRight = true;
        try (RecordBenchmark benchmark = new RecordBenchmark(options, baselines, result -> {
            results.add(result);
            print(result);
        })) {
            for (RecordJob job : parsedJobs) {
                for (long count : counts) {
                    try {
                        allRight &= benchmark.measure(job, count, parsedInputs);
                    } catch (InsufficientDeviceMemoryException e) {
                        System.err.println("left out: " + count + " elements of " + job + ": " + e.getMessage());
                        allRight = false;
                    }
                }
            }
        }
        return allRight ? 0 : 1;
    }

    @SuppressWarnings("FormatString") // The check believes that values of a map cannot be formatted.
    private static void print(Map<String, Object> result) {
        System.out.printf(
                Locale.ROOT,
                "%-16s %-14s %-10s %12d  %8.2f Gelem/s  %9.3f ms%s%n",
                result.get("system"),
                result.get("job"),
                result.get("input"),
                result.get("count"),
                result.get("deviceGigaElementsPerSecond"),
                result.get("deviceMillisMedian"),
                Results.isTrue(result, "verified") ? "" : "  WRONG");
    }
}
