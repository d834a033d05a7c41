package io.samplesort.bench.cpu;

import io.samplesort.Device;
import io.samplesort.bench.results.DistributionOption;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.results.TurnOptions;
import io.samplesort.testkit.InputDistribution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench cpu`.
@Command(
        name = "cpu",
        description =
                "Sorts on the CPU: samplesort, the JDK, NumPy where it is installed (one thread), and the sorts of C++ libraries,"
                        + " by turns on fresh inputs.")
public final class CpuCommand implements Callable<Integer> {
    @Option(
            names = "--types",
            split = ",",
            defaultValue = "i32,i64,f64",
            description =
                    "i32, i64, f64, i64+i32, i32+i32, i32+i64, f32+i32 (two columns), records16 (by a double), records32 (by a long),"
                            + " records100 (by ten bytes); default: ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "1,2",
            description = "How many threads sort; default: ${DEFAULT-VALUE}.")
    private List<Integer> threads;

    @Option(
            names = "--baselines",
            paramLabel = "LIBRARY",
            description =
                    "The library that build-cpu-baselines has made; without it no sort of a C++ library is measured.")
    private Path library;

    @Mixin
    private TurnOptions turns;

    @Mixin
    private DistributionOption distributionOption;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^20,2^24");

    @Mixin
    private ResultOptions options;

    @Spec
    private CommandSpec spec;

    /// The version of NumPy; null if it is not installed or not measured.
    private String numPy;

    @Override
    public Integer call() throws IOException {
        for (int count : threads) {
            if (count < 1) {
                throw new ParameterException(spec.commandLine(), count + " threads: must be 1 or more");
            }
        }
        List<CpuInput> inputs;
        CpuBaselines baselines;
        List<InputDistribution> shapes;
        try {
            inputs = types.stream().map(CpuInput::parse).toList();
            shapes = distributionOption.distributions();
            baselines = library == null ? null : new CpuBaselines(library.toAbsolutePath());
            numPy = turns.isMeasured(NumPySort.NAME)
                    ? NumPySort.installedVersion().orElse(null)
                    : null;
            if (numPy == null && turns.isNamed(NumPySort.NAME)) {
                throw new IllegalArgumentException(NumPySort.MISSING);
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        CpuBenchmark benchmark = new CpuBenchmark(
                turns.repetitions(), turns.warmUps(), options.seed(), options.results(Environment.of(Device.cpu())));
        boolean allRight = true;
        for (long size : sizeOption.sizes()) {
            for (CpuInput input : inputs) {
                for (int count : threads) {
                    List<CpuContender> contenders = contenders(baselines, input, Math.toIntExact(size), count);
                    for (InputDistribution shape : shapes) {
                        allRight &= benchmark.measure(contenders, input, shape, Math.toIntExact(size), count);
                    }
                    contenders.forEach(CpuContender::close);
                }
            }
        }
        return allRight ? 0 : 1;
    }

    private List<CpuContender> contenders(CpuBaselines baselines, CpuInput input, int count, int threadCount)
            throws IOException {
        List<CpuContender> contenders = new ArrayList<>();
        contenders.add(new CpuContender.Ours(input, count, threadCount, false));
        if (input.isPrimitive()) {
            contenders.add(new CpuContender.OfJdk(input, count, threadCount));
        } else {
            contenders.add(new CpuContender.Ours(input, count, threadCount, true));
        }
        if (numPy != null && threadCount == 1) {
            contenders.add(NumPySort.start(input, count, numPy));
        }
        if (baselines != null) {
            baselines
                    .names()
                    .forEach(name ->
                            contenders.add(new CpuContender.Baseline(baselines, name, input, count, threadCount)));
        }
        contenders.stream()
                .filter(contender -> !turns.isMeasured(contender.name()))
                .forEach(CpuContender::close);
        contenders.removeIf(contender -> !turns.isMeasured(contender.name()));
        return contenders;
    }
}
