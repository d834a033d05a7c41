package io.samplesort.bench.select;

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

/// `bench select`.
@Command(
        name = "select",
        description =
                "Selects the first k of random keys and the one in the middle, on the CPU next to a pass that only reads them,"
                        + " a sort of all, NumPy's partition and DuckDB's LIMIT, or in device memory. Each result is compared with that of a sort.")
public final class SelectCommand implements Callable<Integer> {
    enum Place {
        cpu,
        gpu
    }

    @Option(names = "--on", defaultValue = "cpu", description = "cpu or gpu; default: ${DEFAULT-VALUE}.")
    private Place place;

    @Option(
            names = "--types",
            split = ",",
            defaultValue = "i32,i64,f32,f64",
            description = "Such as i32,u64,f64; default: ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(names = "--k", defaultValue = "1,2^10,2^16,2^20", description = "How many; default: ${DEFAULT-VALUE}.")
    private String k;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "1,2",
            description = "How many threads select on the CPU; default: ${DEFAULT-VALUE}.")
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
        List<Long> counts;
        try {
            keys = types.stream().map(KeyType::parse).toList();
            counts = Sizes.parse(k);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Results results = options.results(place == Place.gpu ? Environment.gpu(options.device()) : Environment.host());
        Consumer<Map<String, Object>> print = result -> {
            results.add(result);
            print(result);
        };
        for (long size : sizeOption.sizes()) {
            List<Long> fitting = counts.stream().filter(count -> count <= size).toList();
            for (KeyType key : keys) {
                if (place == Place.gpu) {
                    new DeviceSelections(options, key, size).measure(fitting, print);
                } else {
                    for (int count : threads) {
                        new HostSelections(options, key, Math.toIntExact(size), count, duckDb).measure(fitting, print);
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
                "%-10s %-5s %12d  %-16s %s %9.3f ms  %7.1f GB/s%s%n",
                result.get("system"),
                result.get("type"),
                result.get("count"),
                result.get("what"),
                result.containsKey("threads") ? result.get("threads") + " threads" : "",
                result.get("wallMillisMedian"),
                result.get("inputGigabytesPerSecond"),
                isRight ? "" : "  WRONG");
    }
}
