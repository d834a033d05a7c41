package io.samplesort.cli.report;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// A progress bar that appears once a task has taken a second.
public final class Progress implements AutoCloseable {
    private static final long PATIENCE_NANOS = 1_000_000_000L;
    private static final long BYTES_PER_UNIT = 1 << 20;

    private final String task;
    private final long totalBytes;
    private final boolean isShown;
    private final long start = System.nanoTime();
    private long doneBytes;
    private ProgressBar bar;

    /// @param isShown false for a bar that never appears
    Progress(String task, long totalBytes, boolean isShown) {
        this.task = task;
        this.totalBytes = totalBytes;
        this.isShown = isShown;
    }

    /// Counts bytes that are done.
    public void step(long bytes) {
        if (!isShown) {
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
