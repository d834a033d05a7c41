package io.samplesort.cli.report;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// A progress bar on a terminal, for what takes over a second; nothing elsewhere.
public final class Progress implements AutoCloseable {
    private static final long PATIENCE_NANOS = 1_000_000_000L;
    private static final long BYTES_PER_UNIT = 1 << 20;

    private final String task;
    private final long totalBytes;
    private final boolean isEnabled;
    private final long start = System.nanoTime();
    private long doneBytes;
    private ProgressBar bar;

    private Progress(String task, long totalBytes, boolean isEnabled) {
        this.task = task;
        this.totalBytes = totalBytes;
        this.isEnabled = isEnabled;
    }

    /// @param isQuiet whether the output is for a machine
    public static Progress of(String task, long totalBytes, boolean isQuiet) {
        boolean isTerminal = System.console() != null && System.console().isTerminal();
        return new Progress(task, totalBytes, isTerminal && !isQuiet);
    }

    public void step(long bytes) {
        if (!isEnabled) {
            return;
        }
        doneBytes += bytes;
        if (bar == null && System.nanoTime() - start > PATIENCE_NANOS) {
            bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(totalBytes / BYTES_PER_UNIT)
                    .setUnit(" MiB", 1)
                    .setStyle(ProgressBarStyle.ASCII)
                    .showSpeed()
                    .build();
        }
        if (bar != null) {
            bar.stepTo(doneBytes / BYTES_PER_UNIT);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
