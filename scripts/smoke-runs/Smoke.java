import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs the command and the library at the sizes that users have, and compares every result with a referee. The script
/// `scripts/smoke` beside this folder starts it and says what its options are.
public final class Smoke {
    private static final Map<String, Part> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("lines", LineRuns::run);
        PARTS.put("numbers", NumberRuns::run);
        PARTS.put("memory", MemoryRuns::run);
        PARTS.put("printed", PrintedRuns::run);
        PARTS.put("library", LibraryRuns::run);
        PARTS.put("faults", FaultRuns::run);
    }

    /// One part of the runs.
    private interface Part {
        void run(Place place, Tally tally) throws IOException, InterruptedException;
    }

    private static volatile boolean isEnding;

    private Smoke() {}

    /// Returns whether the process is told to end, or has nothing more to do.
    static boolean isEnding() {
        return isEnding;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = null;
        Path disk = null;
        Path memory = Path.of("/dev/shm");
        long largest = Place.MEDIUM;
        boolean isVerbose = false;
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--root" -> root = Path.of(arguments[++i]);
                case "--folder" -> disk = Path.of(arguments[++i]);
                case "--memory-folder" -> memory = Path.of(arguments[++i]);
                case "--large" -> largest = Place.LARGE;
                case "--quick" -> largest = Place.SMALL;
                case "--verbose" -> isVerbose = true;
                default -> parts.add(arguments[i]);
            }
        }
        if (!PARTS.keySet().containsAll(parts)) {
            System.err.println("smoke: the parts are " + String.join(", ", PARTS.keySet()) + ", not " + parts);
            System.exit(2);
        }
        Path work = Files.createTempDirectory(disk == null ? root.resolve("target") : disk, "smoke-");
        Place place = Place.of(root, work, memory, largest);
        // Files are removed after an interrupt, too.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            isEnding = true;
            place.close();
        }));
        System.exit(run(place, isVerbose, parts) ? 0 : 1);
    }

    /// Runs these parts, or all if none is named. Two of them run at once: while one starts a process or waits for a
    /// referee, a core would be idle.
    private static boolean run(Place place, boolean isVerbose, List<String> parts) throws InterruptedException {
        boolean isGood = true;
        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            List<Future<Boolean>> running = new ArrayList<>();
            PARTS.forEach((name, part) -> {
                // Sorts of several times their memory are no quick ones.
                boolean isWanted = place.sorts(Place.MEDIUM) || !name.equals("memory");
                if (parts.isEmpty() ? isWanted : parts.contains(name)) {
                    running.add(two.submit(() -> {
                        Tally tally = new Tally(name, isVerbose);
                        part.run(place, tally);
                        return tally.end();
                    }));
                }
            });
            for (Future<Boolean> part : running) {
                isGood &= part.get();
            }
        } catch (ExecutionException e) {
            e.printStackTrace();
            return false;
        }
        return isGood;
    }
}
