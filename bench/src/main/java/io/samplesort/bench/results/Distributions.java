package io.samplesort.bench.results;

import io.samplesort.testkit.InputDistribution;
import java.util.List;

/// Lists of input distributions on the command line.
public final class Distributions {
    private Distributions() {}

    /// @param names names of input distributions, or only `all`
    /// @throws IllegalArgumentException if a name is unknown; the message lists the known ones
    public static List<InputDistribution> parse(List<String> names) {
        return names.equals(List.of("all"))
                ? List.of(InputDistribution.values())
                : names.stream().map(InputDistribution::parse).toList();
    }
}
