package io.samplesort;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes sure that a sorter sorts for one thread at a time, and never after it has been closed.
final class OneUser {
    /// The thread for which the sorter is sorting; null if it is idle. A lock guards this and the next.
    private @Nullable Thread user;

    private boolean isClosed;

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

    private synchronized void begin() {
        if (user != null) {
            throw new IllegalStateException(
                    Thread.currentThread().equals(user)
                            ? "this sorter is sorting already: a comparator that sorts needs a sorter of its own"
                            : "this sorter is sorting for another thread: give each thread a sorter of its own");
        }
        if (isClosed) {
            throw new IllegalStateException("this sorter is closed");
        }
        user = Thread.currentThread();
    }

    private synchronized void end() {
        user = null;
    }

    /// Runs `close` the first time that this is called.
    ///
    /// @throws IllegalStateException if a sort is under way
    void close(Runnable close) {
        if (!beginClosing()) {
            return;
        }
        try {
            close.run();
        } finally {
            end();
        }
    }

    /// Returns whether this is the first call.
    private synchronized boolean beginClosing() {
        if (user != null) {
            throw new IllegalStateException(
                    Thread.currentThread().equals(user)
                            ? "this sorter is sorting and cannot be closed by a comparator"
                            : "this sorter is sorting for another thread and cannot be closed now");
        }
        if (isClosed) {
            return false;
        }
        isClosed = true;
        user = Thread.currentThread();
        return true;
    }
}
