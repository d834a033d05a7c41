package io.samplesort.cli.report;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/// A line on the terminal that shows how far a task has come. It appears once the task has taken a second, or as many
/// milliseconds as the system property `samplesort.progress.patience` says, and disappears when the task is done.
public final class Progress implements AutoCloseable {
    private static final long PATIENCE_NANOS = 1_000_000L * Long.getLong("samplesort.progress.patience", 1000);
    private static final long PERIOD_NANOS = 100_000_000L;
    private static final int NOT_ASKED = -1;

    private final String task;
    private final long totalBytes;
    private final PrintWriter err;
    private final IntSupplier terminalColumns;
    private final LongSupplier nanoClock;
    private final long start;
    private long next;
    private int columns = NOT_ASKED;
    private long doneBytes;
    private int shownLength;

    /// @param terminalColumns how many characters fit in a line; 0 if nothing is to be shown
    Progress(String task, long totalBytes, PrintWriter err, IntSupplier terminalColumns, LongSupplier nanoClock) {
        this.task = task;
        this.totalBytes = totalBytes;
        this.err = err;
        this.terminalColumns = terminalColumns;
        this.nanoClock = nanoClock;
        this.start = nanoClock.getAsLong();
        this.next = start + PATIENCE_NANOS;
    }

    /// Counts bytes that are done.
    public synchronized void step(long bytes) {
        doneBytes += bytes;
        long now = nanoClock.getAsLong();
        if (doneBytes >= totalBytes) {
            erase();
        } else if (columns != 0 && now - next > 0) {
            if (columns == NOT_ASKED) {
                columns = terminalColumns.getAsInt();
            }
            show(line(now - start));
            next = now + PERIOD_NANOS;
        }
    }

    private String line(long nanos) {
        double seconds = nanos * 1e-9;
        double bytesPerSecond = Math.max(1, doneBytes) / seconds;
        long secondsLeft = (long) ((totalBytes - doneBytes) / bytesPerSecond);
        return String.format(
                Locale.ROOT,
                "%s %2d %% of %,d MiB, %,.0f MiB/s, %d:%02d left",
                task,
                (long) (100.0 * doneBytes / totalBytes),
                totalBytes >> 20,
                bytesPerSecond / (1 << 20),
                secondsLeft / 60,
                secondsLeft % 60);
    }

    private void show(String line) {
        // The last column stays free, because some terminals begin a new line after it.
        String fitting = line.substring(0, Math.min(line.length(), Math.max(0, columns - 1)));
        if (!fitting.isEmpty()) {
            // Blanks cover what is left of a longer line before.
            err.print("\r" + fitting + " ".repeat(Math.max(0, shownLength - fitting.length())));
            err.flush();
            shownLength = fitting.length();
        }
    }

    private void erase() {
        if (shownLength > 0) {
            err.print("\r" + " ".repeat(shownLength) + "\r");
            err.flush();
            shownLength = 0;
        }
    }

    @Override
    public synchronized void close() {
        erase();
    }
}
