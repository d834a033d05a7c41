package io.samplesort.bench.results;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The option that says how many elements are sorted.
public final class SizeOption {
    @Option(names = "--sizes", description = "Such as 2^16..2^24 or 2^20,2^24; default: ${DEFAULT-VALUE}.")
    private String sizes;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /// @param byDefault the sizes that a benchmark uses unless it is given others
    public SizeOption(String byDefault) {
        this.sizes = byDefault;
    }

    /// Returns the sizes.
    ///
    /// @throws ParameterException if they are not written as they should be
    public List<Long> sizes() {
        try {
            return Sizes.parse(sizes);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
