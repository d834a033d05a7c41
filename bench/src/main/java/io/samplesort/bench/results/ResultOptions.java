package io.samplesort.bench.results;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The options of all benchmarks that append to a file of results.
public class ResultOptions {
    @Option(names = "--seed", defaultValue = "1", description = "The seed of the inputs; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--out",
            defaultValue = "results.jsonl",
            description = "The file that the results are appended to; default: ${DEFAULT-VALUE}.")
    private Path out;

    /// The command that has these options.
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    public long seed() {
        return seed;
    }

    /// Opens the file of results.
    ///
    /// @param environment what all results have in common; the seed and the command line are added
    public Results results(Map<String, Object> environment) {
        Environment.addRun(environment, seed, spec);
        return new Results(out, environment);
    }
}
