import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Counts the runs of a part that passed and failed, and says what was wrong with each that failed.
final class Tally {
    private final String part;
    private final boolean isVerbose;
    private final List<String> failures = new ArrayList<>();
    private final long begun = System.nanoTime();
    private int passed;
    private long last = begun;

    /// @param isVerbose whether runs that passed are told, too, with their time and that of their referee
    Tally(String part, boolean isVerbose) {
        this.part = part;
        this.isVerbose = isVerbose;
    }

    /// Notes one run.
    ///
    /// @param faults what is wrong with it; empty if it passed
    void note(String name, List<String> faults) {
        // An interrupt ended the run as well: that is no fault of it, and no other run begins.
        while (Smoke.isEnding()) {
            LockSupport.park();
        }
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
        StringBuilder told = new StringBuilder("FAILED " + name);
        faults.forEach(fault -> told.append("\n       ").append(fault.strip().replace("\n", "\n       ")));
        System.out.println(told);
    }

    /// Prints the numbers of runs; returns whether all passed, and at least one.
    boolean end() {
        System.out.printf(
                "smoke: %s took %d s, %d passed, %d failed%n",
                part, Duration.ofNanos(System.nanoTime() - begun).toSeconds(), passed, failures.size());
        return failures.isEmpty() && passed > 0;
    }
}
