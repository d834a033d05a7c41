package io.samplesort.spark.task;

import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;

/// The memory of a task that Spark accounts for. What is taken goes back when the task ends, however it ends.
public final class TaskMemory extends MemoryConsumer {
    public TaskMemory(TaskContext task) {
        super(task.taskMemoryManager(), MemoryMode.ON_HEAP);
        TaskEnd.then(task, () -> giveBack(getUsed()));
    }

    /// Takes this many bytes, or none.
    ///
    /// @return false if Spark does not grant all of them
    public boolean take(long bytes) {
        long granted = acquireMemory(bytes);
        if (granted < bytes) {
            giveBack(granted);
            return false;
        }
        return true;
    }

    /// Gives back some of what was taken.
    public void giveBack(long bytes) {
        if (bytes > 0) {
            freeMemory(bytes);
        }
    }

    /// Gives nothing to other consumers that ask for memory: what is being sorted cannot move.
    @Override
    public long spill(long size, MemoryConsumer trigger) {
        return 0;
    }
}
