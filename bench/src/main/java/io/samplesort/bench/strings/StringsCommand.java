package io.samplesort.bench.strings;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.IndexRequest;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.IndexBenchmark;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.testkit.StringInput;
import io.samplesort.types.ElementType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench strings`.
@Command(name = "strings", description = "Sorts of the indexes of strings in device memory, and CUB's merge sort.")
public final class StringsCommand implements Callable<Integer> {
    private static final String RATE = "MillionStringsPerSecond";
    private static final Map<String, StringInput> INPUTS = inputs();

    @Option(
            names = "--inputs",
            split = ",",
            defaultValue = "random,urls,words,sentences",
            description = "Default: ${DEFAULT-VALUE}.")
    private List<String> inputs;

    @Option(
            names = "--offsets",
            defaultValue = "i32",
            description = "The type of the offsets, i32 or i64; default: ${DEFAULT-VALUE}.")
    private String offsets;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^24");

    @Mixin
    private GpuOptions options;

    private static Map<String, StringInput> inputs() {
        Map<String, StringInput> inputs = new LinkedHashMap<>();
        inputs.put("random", StringInput.RANDOM);
        inputs.put("urls", StringInput.URLS);
        inputs.put("words", StringInput.WORDS);
        inputs.put("sentences", StringInput.SENTENCES);
        return inputs;
    }

    @Override
    public Integer call() {
        for (String name : inputs) {
            if (!INPUTS.containsKey(name)) {
                throw new IllegalArgumentException("input '" + name + "': use some of " + INPUTS.keySet());
            }
        }
        ElementType offsetType = switch (offsets) {
            case "i32" -> ElementType.INT;
            case "i64" -> ElementType.LONG;
            default -> throw new IllegalArgumentException("offsets '" + offsets + "': use i32 or i64");
        };
        Baselines baselines = options.baselines("baseline_sort_strings");
        Results results = options.results(baselines);
        IndexBenchmark benchmark = new IndexBenchmark(options, baselines, result -> {
            results.add(result);
            print(result);
        });
        IndexRequest request = new IndexRequest(
                offsetType.byteSize(), "strings with offsets of type " + offsetType, "cub-merge-prefixes");
        boolean allRight = true;
        for (long size : sizeOption.sizes()) {
            for (String name : inputs) {
                StringInput input = INPUTS.get(name);
                int count = Math.toIntExact(size);
                try {
                    allRight &= benchmark.measure(
                            request, RATE, count, () -> new StringWorkload(options, input, count, offsetType));
                } catch (InsufficientDeviceMemoryException e) {
                    System.err.println("left out: " + size + " strings, " + name + ": " + e.getMessage());
                    allRight = false;
                }
            }
        }
        return allRight ? 0 : 1;
    }

    @SuppressWarnings("FormatString") // The check believes that values of a map cannot be formatted.
    private static void print(Map<String, Object> result) {
        System.out.printf(
                Locale.ROOT,
                "%-20s %-50s %12d  %8.1f 10^6 strings/s  %9.3f ms%s%n",
                result.get("system"),
                result.get("input"),
                result.get("count"),
                result.get("device" + RATE),
                result.get("deviceMillisMedian"),
                Results.isTrue(result, "verified") ? "" : "  WRONG");
        if (result.get("phaseMillis") instanceof Map<?, ?> phases) {
            phases.forEach((phase, millis) -> System.out.printf(Locale.ROOT, "    %-32s %9.3f ms%n", phase, millis));
            ((Map<?, ?>) result.get("copyPhaseMillis"))
                    .forEach((phase, millis) -> System.out.printf(Locale.ROOT, "    %-32s %9.3f ms%n", phase, millis));
            System.out.printf(
                    Locale.ROOT,
                    "    the copy in order has %.2f of the speed of a plain copy (%.3f ms)%n",
                    result.get("shareOfCopySpeed"),
                    result.get("plainCopyMillis"));
            System.out.printf(
                    Locale.ROOT,
                    "    the sort and a list of the %d different strings take %.3f ms%n",
                    result.get("distinct"),
                    result.get("distinctWallMillisMedian"));
        }
    }
}
