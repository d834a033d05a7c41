package io.samplesort.cuda;

import java.util.ArrayDeque;
import java.util.Deque;

/// What an object has to close. It is closed in reverse order, and all of it even if closing one thing fails.
public final class Owned implements AutoCloseable {
    private final Deque<AutoCloseable> children = new ArrayDeque<>();

    /// An object that has nothing to close yet.
    public Owned() {}

    /// Adds and returns a child.
    public <T extends AutoCloseable> T add(T child) {
        children.push(child);
        return child;
    }

    /// Closes after a failure; further failures are added to that one.
    public void closeAfter(Throwable failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        while (!children.isEmpty()) {
            try {
                children.pop().close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = e instanceof RuntimeException r ? r : new IllegalStateException(e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
