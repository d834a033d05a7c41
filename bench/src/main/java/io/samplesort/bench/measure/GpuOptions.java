package io.samplesort.bench.measure;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Results;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/// What all benchmarks in device memory are told.
public final class GpuOptions extends ResultOptions {
    @Option(names = "--repetitions", defaultValue = "7", description = "Timed runs of each; default: ${DEFAULT-VALUE}.")
    private int repetitions;

    @Option(
            names = "--baselines",
            description = "CUB's sorts, as bench/build-baselines makes them; without, only ours is measured.")
    private Path baselines;

    @Option(names = "--device", defaultValue = "0", description = "Number of the GPU; default: ${DEFAULT-VALUE}.")
    private int device;

    @Option(names = "--tuning", defaultValue = "", description = "Tuning parameters, name=value,….")
    private String tuning;

    public int repetitions() {
        return repetitions;
    }

    /// The number of the GPU.
    public int device() {
        return device;
    }

    /// Replaces some of the default tuning parameters.
    public String tuning() {
        return tuning;
    }

    /// CUB's sorts; null where only ours is measured.
    ///
    /// @param function of the library
    public Baselines baselines(String function) {
        return baselines == null ? null : new Baselines(baselines.toAbsolutePath(), function);
    }

    /// Where results go, with what they have in common.
    ///
    /// @param library null where only ours is measured
    public Results results(Baselines library) {
        Map<String, Object> environment = Environment.gpu(device);
        if (library != null) {
            environment.put("cub", library.cubVersion());
        }
        return results(environment);
    }
}
