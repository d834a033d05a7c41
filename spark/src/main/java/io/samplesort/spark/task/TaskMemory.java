package io.samplesort.spark.task;

import java.io.IOException;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;

/// The memory of a task for which Spark accounts. It is given back when the task ends, however it ends.
public final class TaskMemory extends MemoryConsumer {
    private final Spill spill;
    private final Thread thread = Thread.currentThread();

    /// Frees memory for another part of the task when memory is short.
    @FunctionalInterface
    public interface Spill {
        /// Writes data in memory to files, and gives memory back.
        ///
        /// @return how many bytes were given back; 0 if nothing can be moved now
        long spill() throws IOException;
    }

    /// Accounts for memory of data that cannot be moved to files.
    public TaskMemory(TaskContext task) {
        this(task, () -> 0);
    }

    /// @param spill makes room for others. It is called only on the thread that makes this object, in the middle of
    ///     whatever asks Spark for memory.
    public TaskMemory(TaskContext task, Spill spill) {
        super(task.taskMemoryManager(), MemoryMode.ON_HEAP);
        this.spill = spill;
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

    /// A part that needs more memory itself does not have to be asked.
    @Override
    public long spill(long size, MemoryConsumer trigger) throws IOException {
        return trigger == this || !thread.equals(Thread.currentThread()) ? 0 : spill.spill();
    }
}
