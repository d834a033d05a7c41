package io.samplesort;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Sees to it that a sorter sorts for one thread at a time, and not after it has been closed.
final class OneUser {
    /// The thread for which the sorter is sorting; null if it is idle.
    private final AtomicReference<Thread> user = new AtomicReference<>();
    private volatile boolean isClosed;

    /// Runs `sort` unless another sort is under way.
    ///
    /// @throws IllegalStateException if the sorter is closed or is sorting already
    <T> T exclusively(Supplier<T> sort) {
        begin();
        try {
            return sort.get();
        } finally {
            end();
        }
    }

    /// Begins a sort unless another one is under way. Whoever calls this calls [#end] when the sort is done.
    ///
    /// @throws IllegalStateException if the sorter is closed or is sorting already
    void begin() {
        if (!user.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException(
                    Thread.currentThread().equals(user.get())
                            ? "this sorter is sorting already: a comparator that sorts needs a sorter of its own"
                            : "this sorter is sorting for another thread: give each thread a sorter of its own");
        }
        if (isClosed) {
            end();
            throw new IllegalStateException("this sorter is closed");
        }
    }

    void end() {
        user.set(null);
    }

    /// Runs `close` the first time that this is called.
    ///
    /// @throws IllegalStateException if a sort is under way
    void close(Runnable close) {
        if (!user.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException(
                    Thread.currentThread().equals(user.get())
                            ? "this sorter is sorting and cannot be closed by a comparator"
                            : "this sorter is sorting for another thread and cannot be closed now");
        }
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            close.run();
        } finally {
            user.set(null);
        }
    }
}
