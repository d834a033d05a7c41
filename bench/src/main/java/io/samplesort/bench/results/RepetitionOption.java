package io.samplesort.bench.results;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The option that says how often each sort is timed.
public final class RepetitionOption {
    @Option(names = "--repetitions", description = "Timed runs of each; default: ${DEFAULT-VALUE}.")
    private int repetitions;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /// @param byDefault how often a benchmark times a sort unless it is told otherwise
    public RepetitionOption(int byDefault) {
        this.repetitions = byDefault;
    }

    /// Returns how often.
    ///
    /// @throws ParameterException if that is not even once
    public int repetitions() {
        if (repetitions < 1) {
            throw new ParameterException(spec.commandLine(), "--repetitions: use 1 or more, not " + repetitions);
        }
        return repetitions;
    }
}
