package io.samplesort.cli.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// The most memory that this process has had.
final class PeakMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String PEAK = "VmHWM:";

    private PeakMemory() {}

    /// Returns the most bytes of memory that were resident at a time, including those of mapped files; empty if the
    /// system does not say.
    static OptionalLong bytes() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith(PEAK)) {
                    return OptionalLong.of(Long.parseLong(line.strip().split("\\s+")[1]) * 1024);
                }
            }
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            // Only Linux has this file.
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }
}
