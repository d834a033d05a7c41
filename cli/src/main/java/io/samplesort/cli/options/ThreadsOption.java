package io.samplesort.cli.options;

import io.samplesort.SorterBuilder;
import io.samplesort.cli.values.ThreadsConverter;
import picocli.CommandLine.Option;

/// The option that limits the threads on the CPU.
public final class ThreadsOption {
    @Option(
            names = "--threads",
            paramLabel = "N",
            converter = ThreadsConverter.class,
            description = "The most threads that work on the CPU. Default: one for each core.")
    private Integer threads;

    /// Limits the threads of a builder, if the user has set a limit.
    public void limit(SorterBuilder builder) {
        if (threads != null) {
            builder.cpuThreads(threads);
        }
    }
}
