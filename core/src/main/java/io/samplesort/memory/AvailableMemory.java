package io.samplesort.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Finds out how much host memory a process may take without making others swap.
public final class AvailableMemory {
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    private AvailableMemory() {}

    /// Returns how many bytes the system says are available: on Linux, what it can give without swapping, but no more
    /// than the limits of the control groups (version 2) leave; elsewhere, the greatest size of the Java heap.
    public static long available() {
        try {
            return Math.min(systemAvailable(), containerAvailable());
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Runtime.getRuntime().maxMemory();
        }
    }

    private static long systemAvailable() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemAvailable:")) {
                return Long.parseLong(line.split("\\s+")[1]) * 1024;
            }
        }
        throw new IOException("/proc/meminfo does not say what is available");
    }

    /// Returns the least of what the control groups leave, from the group of this process to the outermost.
    private static long containerAvailable() throws IOException {
        Path own = Path.of("/proc/self/cgroup");
        long least = Long.MAX_VALUE;
        for (String line : Files.exists(own) ? Files.readAllLines(own) : List.<String>of()) {
            if (line.startsWith("0::/")) {
                Path group = CGROUPS.resolve(line.substring("0::/".length())).normalize();
                while (group.startsWith(CGROUPS)) {
                    least = Math.min(least, left(group));
                    group = group.getParent();
                }
            }
        }
        return least;
    }

    private static long left(Path group) throws IOException {
        Path limit = group.resolve("memory.max");
        Path current = group.resolve("memory.current");
        String text = Files.exists(limit) ? Files.readString(limit).strip() : "max";
        if (text.equals("max") || !Files.exists(current)) {
            return Long.MAX_VALUE;
        }
        long used = Long.parseLong(Files.readString(current).strip());
        return Math.max(0, Long.parseLong(text) - used + cachedFiles(group));
    }

    /// Returns what the files of the group take in the page cache, which the system gives up when memory is needed.
    private static long cachedFiles(Path group) throws IOException {
        for (String line : Files.readAllLines(group.resolve("memory.stat"))) {
            if (line.startsWith("inactive_file ")) {
                return Long.parseLong(line.substring("inactive_file ".length()));
            }
        }
        return 0;
    }
}
