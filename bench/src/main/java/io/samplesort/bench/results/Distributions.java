package io.samplesort.bench.results;

import io.samplesort.testkit.InputDistribution;
import java.util.List;

/// Lists of input distributions, as the command line has them.
public final class Distributions {
    private Distributions() {}

    /// @param names names, or `all` alone
    /// @throws IllegalArgumentException if one is unknown; the message names all
    public static List<InputDistribution> parse(List<String> names) {
        return names.equals(List.of("all"))
                ? List.of(InputDistribution.values())
                : names.stream().map(InputDistribution::parse).toList();
    }
}
