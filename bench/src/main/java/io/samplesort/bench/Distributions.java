package io.samplesort.bench;

import io.samplesort.testkit.InputDistribution;
import java.util.List;

/// Lists of input distributions, as the command line has them.
final class Distributions {
    private Distributions() {}

    /// @param names names, or `all` alone
    /// @throws IllegalArgumentException if one is unknown; the message names all
    static List<InputDistribution> parse(List<String> names) {
        return names.equals(List.of("all"))
                ? List.of(InputDistribution.values())
                : names.stream().map(InputDistribution::parse).toList();
    }
}
