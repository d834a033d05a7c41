package io.samplesort.spark.task;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/// A GPU of this executor. One task at a time sorts on it, so that tasks that share it do not compete for its memory.
/// The sorter is kept for the next task, since it holds compiled kernels and buffers.
final class Gpu {
    private static final Map<Integer, Gpu> GPUS = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private String kind;
    private AutoCloseable sorter;

    private Gpu() {}

    /// Returns the GPU with this number.
    static Gpu of(int ordinal) {
        return GPUS.computeIfAbsent(ordinal, ignored -> new Gpu());
    }

    /// Waits until no other task of this executor uses the GPU, and uses it.
    ///
    /// @param waited is called with the nanoseconds that this took
    /// @param kind  what the sorter is for; a sorter of another kind is closed
    /// @param build builds a sorter of this kind
    /// @throws InterruptedException if the task is killed while it waits
    @SuppressWarnings("unchecked") // sorters of one kind have one class
    <S extends AutoCloseable, R> R use(LongConsumer waited, String kind, Supplier<S> build, Function<S, R> sort)
            throws InterruptedException {
        long begin = System.nanoTime();
        lock.lockInterruptibly();
        try {
            waited.accept(System.nanoTime() - begin);
            if (!kind.equals(this.kind)) {
                close();
                sorter = build.get();
                this.kind = kind;
            }
            try {
                return sort.apply((S) sorter);
            } catch (RuntimeException | Error e) {
                // Whatever went wrong, the next task starts with a new sorter.
                close();
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    private void close() {
        AutoCloseable last = sorter;
        kind = null;
        sorter = null;
        if (last != null) {
            TaskSorter.close(last);
        }
    }
}
