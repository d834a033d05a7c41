package io.samplesort.spark.terasort;

import io.samplesort.spark.task.SortTimes;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.StageInfo;
import scala.jdk.javaapi.CollectionConverters;

/// Prints what Spark reports about the time of each stage: how long it took, what its tasks did meanwhile, and how much
/// they read and wrote. Times of tasks are sums over all tasks.
final class StageReport extends SparkListener {
    private static final double MILLIS = 1e-3;
    private static final double NANOS = 1e-9;

    /// The name of the time, in milliseconds, that Spark's own sort of rows reports.
    private static final String SORT_OF_SPARK = "sort time";

    private final SparkContext spark;
    private final List<StageInfo> stages = new ArrayList<>();

    StageReport(SparkContext spark) {
        this.spark = spark;
        spark.addSparkListener(this);
    }

    @Override
    public synchronized void onStageCompleted(SparkListenerStageCompleted stage) {
        stages.add(stage.stageInfo());
    }

    /// Prints the stages that have ended since the last call.
    void print(PrintStream out) {
        try {
            spark.listenerBus().waitUntilEmpty();
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("Spark is late with its events", e);
        }
        synchronized (this) {
            stages.sort(Comparator.comparingInt(StageInfo::stageId));
            stages.forEach(stage -> print(stage, out));
            stages.clear();
        }
    }

    private static void print(StageInfo stage, PrintStream out) {
        TaskMetrics tasks = stage.taskMetrics();
        long clock = (Long) stage.completionTime().get()
                - (Long) stage.submissionTime().get();
        out.printf(
                Locale.ROOT,
                "  stage %d, %s: %.2f s for %d tasks of %.2f s together, %.2f s of processors%n",
                stage.stageId(),
                stage.name(),
                clock * MILLIS,
                stage.numTasks(),
                tasks.executorRunTime() * MILLIS,
                tasks.executorCpuTime() * NANOS);
        List<String> parts = new ArrayList<>();
        addBytes(parts, "input", tasks.inputMetrics().bytesRead());
        addSteps(parts, stage);
        addTime(parts, "write to the shuffle", tasks.shuffleWriteMetrics().writeTime() * NANOS);
        addBytes(parts, "written to the shuffle", tasks.shuffleWriteMetrics().bytesWritten());
        addTime(parts, "wait for the shuffle", tasks.shuffleReadMetrics().fetchWaitTime() * MILLIS);
        addBytes(parts, "read from the shuffle", tasks.shuffleReadMetrics().totalBytesRead());
        addBytes(parts, "temporary files", tasks.diskBytesSpilled());
        addBytes(parts, "output", tasks.outputMetrics().bytesWritten());
        addTime(parts, "garbage collection", tasks.jvmGCTime() * MILLIS);
        if (!parts.isEmpty()) {
            out.println("    " + String.join(", ", parts));
        }
    }

    /// Adds the steps of sorts: those of samplesort, and the time of Spark's sort.
    private static void addSteps(List<String> parts, StageInfo stage) {
        for (AccumulableInfo info : CollectionConverters.asJava(stage.accumulables()).values().stream()
                .sorted(Comparator.comparingLong(AccumulableInfo::id))
                .toList()) {
            String name = String.valueOf(info.name().getOrElse(() -> ""));
            if (name.startsWith(SortTimes.PREFIX)) {
                String step = name.substring(SortTimes.PREFIX.length(), name.length() - SortTimes.SUFFIX.length());
                addTime(parts, step, (Long) info.value().get() * NANOS);
            } else if (name.equals(SORT_OF_SPARK)) {
                addTime(parts, "sort", (Long) info.value().get() * MILLIS);
            }
        }
    }

    private static void addTime(List<String> parts, String what, double seconds) {
        if (seconds >= 0.005) {
            parts.add(String.format(Locale.ROOT, "%s %.2f s", what, seconds));
        }
    }

    private static void addBytes(List<String> parts, String what, long bytes) {
        if (bytes > 0) {
            parts.add(String.format(Locale.ROOT, "%s %.1f MB", what, bytes * 1e-6));
        }
    }
}
