package io.samplesort.bench.sorted;

import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.results.Sizes;
import io.samplesort.testkit.KeyType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
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
                        + " two inputs as sets, on the CPU by turns with plain Java and with copies of as many bytes. Results are"
                        + " compared with those of plain Java.")
public final class SortedCommand implements Callable<Integer> {
    @Option(
            names = "--types",
            split = ",",
            defaultValue = "i32,i64,f64",
            description = "Some of i32, i64 and f64; default: ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(
            names = "--values",
            defaultValue = "10^6",
            description = "How many values keys have in all but merges and lookups; default: ${DEFAULT-VALUE}.")
    private String values;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "2",
            description = "How many threads work; default: ${DEFAULT-VALUE}.")
    private List<Integer> threads;

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
            keys = types.stream().map(KeyType::parse).toList();
            keys.forEach(JdkSorted::of);
            most = Sizes.parse(values).getFirst();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Results results = options.results(Environment.host());
        for (long size : sizeOption.sizes()) {
            for (KeyType key : keys) {
                for (int count : threads) {
                    new HostSorted(options, key, Math.toIntExact(size), most, count).measure(result -> {
                        results.add(result);
                        print(result);
                    });
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
                "%-10s %-4s %10d  %-20s %d threads %9.3f ms  %6.1f GB/s%s%n",
                result.get("system"),
                result.get("type"),
                result.get("count"),
                result.get("what"),
                result.get("threads"),
                result.get("wallMillisMedian"),
                result.get("gigabytesPerSecond"),
                isRight ? "" : "  WRONG");
    }
}
