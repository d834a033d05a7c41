package io.samplesort.cli.options;

import io.samplesort.cli.values.SizeConverter;
import picocli.CommandLine.Option;

/// The options that say how much memory a sort takes on the GPU.
public final class GpuMemoryOptions {
    @Option(
            names = "--device-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "How much GPU memory to take at most, such as 4G. What does not fit is sorted in parts."
                    + " Default: all that is free.")
    private Long deviceMemory;

    @Option(names = "--lean", description = "Take as little GPU memory as possible, which is slower.")
    private boolean isLean;

    /// Returns how many bytes to take at most.
    long mostBytes() {
        return deviceMemory == null ? Long.MAX_VALUE : deviceMemory;
    }

    boolean isLean() {
        return isLean;
    }
}
