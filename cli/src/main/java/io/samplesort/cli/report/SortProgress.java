package io.samplesort.cli.report;

import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.FilePlan;
import java.nio.file.Path;
import java.util.Locale;

/// Shows how far the sort of a file has come, and says what a user should know about it.
public final class SortProgress implements FileListener, AutoCloseable {
    private static final long SHORT_PIECE = 1 << 20;

    private final Output output;
    private Progress progress;
    private long shownBytes;

    public SortProgress(Output output) {
        this.output = output;
    }

    @Override
    public void planned(FilePlan plan) {
        progress = output.progress("sort", plan.movedBytes());
        if (plan.isInParts() && plan.pieceBytes() < SHORT_PIECE) {
            output.remark(String.format(
                    Locale.ROOT,
                    "with this memory the file is sorted in %,d parts, and read in pieces of %,d bytes, which is slow on"
                            + " disks; twice the --memory (and on a GPU, twice the --device-memory) makes the pieces"
                            + " four times as long",
                    plan.runs(),
                    plan.pieceBytes()));
        }
    }

    @Override
    public void removed(Path leftover) {
        output.remark("removed " + leftover + ", which a killed sort had left");
    }

    @Override
    public void lost(Path file, String loss) {
        output.remark(loss);
    }

    @Override
    public void grown(Path input, long bytes) {
        output.remark(String.format(
                Locale.ROOT,
                "%s has become %,d bytes longer while it was sorted: the result has what was there before",
                input,
                bytes));
    }

    @Override
    public void moved(long movedBytes, long totalBytes) {
        if (progress == null) {
            progress = output.progress("sort", totalBytes);
        }
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
