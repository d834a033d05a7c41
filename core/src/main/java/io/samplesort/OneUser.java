package io.samplesort;

import io.samplesort.reports.SortWatch;
import io.samplesort.types.SortListener;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes sure that a sorter sorts for one thread at a time, and never after it has been closed.
final class OneUser {
    /// The thread for which the sorter is sorting; null if it is idle. A lock guards this and the next.
    private @Nullable Thread user;

    private boolean isClosed;

    /// Null if nothing watches the sorts.
    private final @Nullable SortListener listener;

    private final Role role;

    OneUser(@Nullable SortListener listener) {
        this(Role.SORTER, listener);
    }

    OneUser(Role role, @Nullable SortListener listener) {
        this.role = role;
        this.listener = listener;
    }

    @Nullable
    SortListener listener() {
        return listener;
    }

    /// Runs a sort of `count` elements unless another sort is under way. The listener watches it.
    ///
    /// @throws IllegalStateException if the sorter is closed or is sorting already
    /// @throws io.samplesort.errors.SortCancelledException if the listener cancels the sort
    <T> T sort(long count, Supplier<T> sort) {
        return exclusively(listener == null ? sort : () -> SortWatch.watch(listener, role.work, count, sort));
    }

    /// Runs a sort that does not change its input, as [#sort] does.
    <T> T reading(long count, Supplier<T> sort) {
        return sort(count, () -> SortWatch.onlyReading(sort));
    }

    /// Runs something that no listener watches, unless a sort is under way.
    ///
    /// @throws IllegalStateException if the sorter is closed or is sorting already
    <T> T exclusively(Supplier<T> work) {
        begin();
        try {
            return work.get();
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        if (user != null) {
            throw new IllegalStateException(
                    Thread.currentThread().equals(user)
                            ? state() + "ing already: a comparator or listener that " + role.verb + "s needs a "
                                    + role.noun + " of its own"
                            : state() + "ing for another thread: give each thread a " + role.noun + " of its own");
        }
        if (isClosed) {
            throw new IllegalStateException("this " + role.noun + " is closed");
        }
        user = Thread.currentThread();
    }

    private String state() {
        return "this " + role.noun + " is " + role.verb;
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
                            ? state() + "ing and cannot be closed by a comparator"
                            : state() + "ing for another thread and cannot be closed now");
        }
        if (isClosed) {
            return false;
        }
        isClosed = true;
        user = Thread.currentThread();
        return true;
    }
}
