package io.samplesort.bench.results;

import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of benchmarks on the CPU, where all systems sort the same input in turns.
public final class TurnOptions {
    @Mixin
    private RepetitionOption repetitionOption = new RepetitionOption(7);

    @Option(
            names = "--warm-ups",
            defaultValue = "3",
            description = "Runs of each before the timed ones; default: ${DEFAULT-VALUE}.")
    private int warmUps;

    @Option(names = "--systems", split = ",", description = "Only these of the systems that a full run lists.")
    private List<String> systems;

    public int repetitions() {
        return repetitionOption.repetitions();
    }

    public int warmUps() {
        return warmUps;
    }

    /// Returns whether a system is asked for by its name.
    public boolean isNamed(String system) {
        return systems != null && systems.contains(system);
    }

    /// Returns whether a system is measured.
    public boolean isMeasured(String system) {
        return systems == null || systems.contains(system);
    }
}
