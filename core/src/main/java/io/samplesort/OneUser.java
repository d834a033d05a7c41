package io.samplesort;

import java.util.function.Supplier;

/// Sees to it that a sorter sorts for one thread at a time, and not after it has been closed.
final class OneUser {
    /// The thread for which the sorter is sorting; null if it is idle. A lock guards this and the next, as an atomic
    /// reference would take the first sort of a process milliseconds to load.
    private Thread user;

    private boolean isClosed;
    private final Turn turn = new Turn();

    /// Runs `sort` unless another sort is under way.
    ///
    /// @throws IllegalStateException if the sorter is closed or is sorting already
    <T> T exclusively(Supplier<T> sort) {
        try (Turn turn = begin()) {
            return sort.get();
        }
    }

    /// Begins a sort unless another one is under way, until the turn is closed. Sorts that may be the first of a
    /// process call this, as its first lambda takes milliseconds.
    ///
    /// @throws IllegalStateException if the sorter is closed or is sorting already
    synchronized Turn begin() {
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
        return turn;
    }

    private synchronized void end() {
        user = null;
    }

    /// A sort that is under way.
    final class Turn implements AutoCloseable {
        @Override
        public void close() {
            end();
        }
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
