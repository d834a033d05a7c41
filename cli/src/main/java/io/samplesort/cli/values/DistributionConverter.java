package io.samplesort.cli.values;

import io.samplesort.testkit.InputDistribution;
import java.util.Arrays;
import java.util.Iterator;

/// Reads the name of an input distribution.
public final class DistributionConverter extends TextConverter<InputDistribution> {
    public DistributionConverter() {
        super(InputDistribution::parse);
    }

    /// The names of all input distributions, for the help.
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(InputDistribution.values())
                    .map(InputDistribution::toString)
                    .iterator();
        }
    }
}
