import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Counts the runs that passed and failed, and says what was wrong with each that failed.
final class Tally {
    private final boolean isVerbose;
    private final List<String> failures = new ArrayList<>();
    private int passed;
    private long begun = System.nanoTime();
    private String part;
    private long last = System.nanoTime();

    /// @param isVerbose whether runs that passed are told, too, with their time and that of their referee
    Tally(boolean isVerbose) {
        this.isVerbose = isVerbose;
    }

    void begin(String name) {
        endPart();
        part = name;
        begun = System.nanoTime();
    }

    private void endPart() {
        if (part != null) {
            System.out.printf(
                    "smoke: %s took %d s%n",
                    part, Duration.ofNanos(System.nanoTime() - begun).toSeconds());
        }
    }

    /// Notes one run.
    ///
    /// @param faults what is wrong with it; empty if it passed
    void note(String name, List<String> faults) {
        long now = System.nanoTime();
        if (isVerbose) {
            System.out.printf("%6d ms %s%n", Duration.ofNanos(now - last).toMillis(), name);
        }
        last = now;
        if (faults.isEmpty()) {
            passed++;
            return;
        }
        failures.add(name);
        System.out.println("FAILED " + name);
        faults.forEach(fault -> System.out.println("       " + fault.strip().replace("\n", "\n       ")));
    }

    /// Prints the numbers of runs; returns the exit code.
    int end() {
        endPart();
        System.out.println(passed + " passed, " + failures.size() + " failed");
        return failures.isEmpty() && passed > 0 ? 0 : 1;
    }
}
