package io.samplesort.cli.report;

import io.samplesort.types.FileListener;
import io.samplesort.types.FilePlan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/// Tells on the terminal how far the sort of a file is, and on the error stream what a user should know of it.
public final class SortProgress implements FileListener, AutoCloseable {
    private static final long SHORT_PIECE = 1 << 20;

    private final PrintWriter err;
    private final boolean isQuiet;
    private Progress progress;
    private long shownBytes;

    /// @param isQuiet whether the output is for a machine
    public SortProgress(PrintWriter err, boolean isQuiet) {
        this.err = err;
        this.isQuiet = isQuiet;
    }

    @Override
    public void planned(FilePlan plan) {
        progress = Progress.of("sort", plan.movedBytes(), isQuiet);
        if (plan.isInParts() && plan.pieceBytes() < SHORT_PIECE) {
            say(String.format(
                    Locale.ROOT,
                    "with this memory the file is sorted in %,d parts, and read in pieces of %,d bytes, which is slow"
                            + " on disks: with twice the --memory, and of a GPU the --device-memory, they have four times the size",
                    plan.runs(),
                    plan.pieceBytes()));
        }
    }

    @Override
    public void removed(Path leftover) {
        say("removed " + leftover + ", left by a sort that was killed");
    }

    private void say(String message) {
        err.println("samplesort: " + message);
        err.flush();
    }

    @Override
    public void moved(long movedBytes, long totalBytes) {
        progress.step(movedBytes - shownBytes);
        shownBytes = movedBytes;
    }

    @Override
    public void close() {
        if (progress != null) {
            progress.close();
        }
    }
}
