package io.samplesort.bench.sorted;

import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.results.Sizes;
import io.samplesort.testkit.KeyType;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench sorted`.
@Command(
        name = "sorted",
        description =
                "Merges sorted keys, finds distinct ones with their counts and places, looks others up, and combines"
                        + " two inputs as sets, on the CPU by turns with plain Java and with copies of as many bytes, next to NumPy and DuckDB, or in device memory by"
                        + " turns with Thrust and CUB. Results are compared with those of plain Java or of the CPU.")
public final class SortedCommand implements Callable<Integer> {
    enum Place {
        cpu,
        gpu
    }

    @Option(names = "--on", defaultValue = "cpu", description = "cpu or gpu; default: ${DEFAULT-VALUE}.")
    private Place place;

    @Option(
            names = "--types",
            split = ",",
            description = "Some of i32, i64 and f64 on the CPU, of u32 and u64 on a GPU; default: all of these.")
    private List<String> types;

    @Option(
            names = "--values",
            defaultValue = "1000000",
            description = "How many values keys have in all but merges and lookups; default: ${DEFAULT-VALUE}.")
    private String values;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "2",
            description = "How many threads work; default: ${DEFAULT-VALUE}.")
    private List<Integer> threads;

    @Option(
            names = "--duckdb",
            paramLabel = "JAR",
            description = "The jar of DuckDB's driver, duckdb_jdbc; without it DuckDB is left out.")
    private Path duckDb;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^24");

    @Mixin
    private GpuOptions options;

    @Spec
    private CommandSpec spec;

    private boolean allRight = true;

    @Override
    public Integer call() {
        List<KeyType> keys;
        long most;
        try {
            List<String> all = place == Place.cpu ? List.of("i32", "i64", "f64") : List.of("u32", "u64");
            keys = (types == null ? all : types).stream().map(KeyType::parse).toList();
            for (KeyType key : keys) {
                if (!all.contains(key.toString())) {
                    throw new IllegalArgumentException("type " + key + ": use some of " + String.join(", ", all));
                }
            }
            most = Sizes.parse(values).getFirst();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Results results = options.results(place == Place.gpu ? Environment.gpu(options.device()) : Environment.host());
        Consumer<Map<String, Object>> print = result -> {
            results.add(result);
            print(result);
        };
        for (long size : sizeOption.sizes()) {
            for (KeyType key : keys) {
                if (place == Place.gpu) {
                    try (DeviceSortedKeys device = new DeviceSortedKeys(options, key, size)) {
                        device.measure(print);
                    }
                } else {
                    for (int count : threads) {
                        new HostSorted(options, key, Math.toIntExact(size), most, count, duckDb).measure(print);
                    }
                }
            }
        }
        return allRight ? 0 : 1;
    }

    @SuppressWarnings("FormatString") // The check believes that values of a map cannot be formatted.
    private void print(Map<String, Object> result) {
        boolean isRight = Results.isTrue(result, "verified");
        allRight &= isRight;
        System.out.printf(
                Locale.ROOT,
                "%-10s %-4s %10d  %-30s %s %9.3f ms  %7.1f GB/s%s%n",
                result.get("system"),
                result.get("type"),
                result.get("count"),
                result.get("what"),
                result.containsKey("threads") ? result.get("threads") + " threads" : "",
                result.get((place == Place.gpu ? "device" : "wall") + "MillisMedian"),
                result.get("gigabytesPerSecond"),
                isRight ? "" : "  WRONG");
    }
}
