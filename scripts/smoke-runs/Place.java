import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Where the runs work.
///
/// @param root    of the source tree
/// @param disk    a new folder on a disk
/// @param memory  a new folder on a file system in memory; the same as `disk` if there is none with room
/// @param largest the bytes of the largest files that are sorted
record Place(Path root, Path disk, Path memory, long largest) {
    /// The smallest file that users sort as a file: above the sizes where reading and writing change their ways, and
    /// odd, so that no block is full.
    static final long SMALL = (17L << 20) + 3;

    static final long MEDIUM = (300L << 20) + 5;
    static final long LARGE = (1536L << 20) + 7;

    private static final long MEMORY_ROOM = 1L << 30;
    private static final int TRIES = 20;
    private static final long TRY_NANOS = 50_000_000;

    static Place of(Path root, Path disk, Path memory, long largest) throws IOException {
        boolean hasMemory = Files.isDirectory(memory)
                && Files.isWritable(memory)
                && Files.getFileStore(memory).getUsableSpace() >= MEMORY_ROOM;
        if (!hasMemory) {
            System.out.println("smoke: no file system in memory with room at " + memory + ": all runs are on the disk");
        }
        return new Place(
                root.toRealPath(),
                disk.toRealPath(),
                hasMemory ? Files.createTempDirectory(memory, "smoke-") : disk,
                largest);
    }

    /// Returns whether files of this size are sorted.
    boolean sorts(long bytes) {
        return bytes <= largest;
    }

    Path samplesort() {
        return root.resolve("samplesort");
    }

    /// Returns a new, empty folder.
    Path folder(boolean inMemory) throws IOException {
        return Files.createTempDirectory(inMemory ? memory : disk, "run-");
    }

    /// Returns the names of everything in a folder.
    static TreeSet<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /// Removes a folder and everything in it.
    static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }

    /// Removes both folders. What still runs after an interrupt is ended first, and may write until it has ended.
    void close() {
        for (Path folder : new TreeSet<>(List.of(disk, memory))) {
            for (int tries = 0; Files.exists(folder); tries++) {
                ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
                try {
                    remove(folder);
                } catch (IOException | UncheckedIOException e) {
                    if (tries == TRIES) {
                        System.err.println("smoke: cannot remove " + e.getMessage());
                        break;
                    }
                    LockSupport.parkNanos(TRY_NANOS);
                }
            }
        }
    }
}
