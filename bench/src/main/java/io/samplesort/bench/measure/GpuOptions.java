package io.samplesort.bench.measure;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.SortedBaselines;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.RepetitionOption;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Results;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of all benchmarks in device memory.
public final class GpuOptions extends ResultOptions {
    @Mixin
    private RepetitionOption repetitionOption = new RepetitionOption(7);

    @Option(
            names = "--baselines",
            description = "The library of CUB's sorts, which bench/build-baselines makes; without it only ours is"
                    + " measured.")
    private Path baselines;

    @Option(names = "--device", defaultValue = "0", description = "The number of the GPU; default: ${DEFAULT-VALUE}.")
    private int device;

    @Option(names = "--tuning", defaultValue = "", description = "Tuning parameters, such as distributionItems=16,….")
    private String tuning;

    public int repetitions() {
        return repetitionOption.repetitions();
    }

    /// Returns the number of the GPU.
    public int device() {
        return device;
    }

    /// Returns the tuning parameters that replace the defaults.
    public String tuning() {
        return tuning;
    }

    /// Opens the library of CUB's sorts. Returns null if only our sort is measured.
    ///
    /// @param function the function of the library that sorts
    public Baselines baselines(String function) {
        return baselines == null ? null : new Baselines(baselines.toAbsolutePath(), function);
    }

    /// Opens the library for operations on sorted keys. Returns null if only ours are measured.
    public SortedBaselines sortedBaselines() {
        return baselines == null ? null : new SortedBaselines(baselines.toAbsolutePath());
    }

    /// Opens the file of results.
    ///
    /// @param library null if only our sort is measured
    public Results results(Baselines library) {
        Map<String, Object> environment = Environment.gpu(device);
        if (library != null) {
            environment.put("cub", library.cubVersion());
        }
        return results(environment);
    }
}
