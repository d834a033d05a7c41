package io.samplesort.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// How many files this process may open. Linux tells it; elsewhere it is not known, and Java has raised the limit as
/// far as possible.
public final class FileLimit {
    private static final Path PROCESS = Path.of("/proc/self");

    /// How many files Java and other threads of the process may open meanwhile.
    private static final int RESERVED = 12;

    private FileLimit() {}

    /// Returns how many more files may be open at a time; at most `most`, and not less than 0.
    public static int spare(int most) {
        return spare(PROCESS, most);
    }

    /// @param process the folder in which Linux tells about a process
    static int spare(Path process, int most) {
        try {
            String limits = Files.readString(process.resolve("limits"), StandardCharsets.US_ASCII);
            for (String line : limits.split("\n")) {
                if (line.startsWith("Max open files")) {
                    String soft =
                            line.substring("Max open files".length()).strip().split(" ")[0];
                    long limit = soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
                    return Math.clamp(limit - RESERVED - open(process), 0, most);
                }
            }
            return most;
        } catch (IOException | UncheckedIOException | NumberFormatException e) {
            return most;
        }
    }

    private static long open(Path process) throws IOException {
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            return descriptors.count();
        }
    }
}
