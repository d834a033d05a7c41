package io.samplesort.bench.results;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// What all benchmarks are told that append to a file of results.
public class ResultOptions {
    @Option(names = "--seed", defaultValue = "1", description = "Of the inputs; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--out",
            defaultValue = "results.jsonl",
            description = "Where the results are appended; default: ${DEFAULT-VALUE}.")
    private Path out;

    /// The command that has these options.
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    public long seed() {
        return seed;
    }

    /// Where results go, with what they have in common.
    ///
    /// @param environment where they are measured; the seed and the command line are added
    public Results results(Map<String, Object> environment) {
        environment.put("seed", seed);
        environment.put("command", Environment.command(spec));
        return new Results(out, environment);
    }
}
