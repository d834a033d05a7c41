package io.samplesort.spark.task;

import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/// Registers what is to be done when a task ends, whether it succeeds, fails or is killed.
public final class TaskEnd {
    private TaskEnd() {}

    /// Makes Spark run `action` when the task ends. Actions that are added later run first.
    public static void then(TaskContext task, Runnable action) {
        TaskCompletionListener listener = ended -> action.run();
        task.addTaskCompletionListener(listener);
    }
}
