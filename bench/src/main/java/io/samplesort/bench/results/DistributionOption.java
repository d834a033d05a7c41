package io.samplesort.bench.results;

import io.samplesort.testkit.InputDistribution;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The option that says how inputs are distributed.
public final class DistributionOption {
    @Option(
            names = "--distributions",
            split = ",",
            defaultValue = "uniform",
            description = "Names of input distributions, or all; default: ${DEFAULT-VALUE}.")
    private List<String> names;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /// Returns the input distributions.
    ///
    /// @throws ParameterException if a name is unknown; the message lists the known ones
    public List<InputDistribution> distributions() {
        try {
            return parse(names);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /// @throws IllegalArgumentException if a name is unknown
    static List<InputDistribution> parse(List<String> names) {
        return names.equals(List.of("all"))
                ? List.of(InputDistribution.values())
                : names.stream().map(InputDistribution::parse).toList();
    }
}
