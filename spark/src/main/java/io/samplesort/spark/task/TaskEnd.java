package io.samplesort.spark.task;

import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/// What is to be done when a task ends: it succeeds, fails or is killed.
public final class TaskEnd {
    private TaskEnd() {}

    /// Has Spark run `action` when the task ends. Later actions come first.
    public static void then(TaskContext task, Runnable action) {
        TaskCompletionListener listener = ended -> action.run();
        task.addTaskCompletionListener(listener);
    }
}
