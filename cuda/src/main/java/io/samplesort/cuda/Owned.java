package io.samplesort.cuda;

import java.util.ArrayDeque;
import java.util.Deque;

/// The children that an object has to close. They are closed in reverse order, and all of them even if closing one
/// fails.
public final class Owned implements AutoCloseable {
    private final Deque<AutoCloseable> children = new ArrayDeque<>();

    /// Makes an object that has nothing to close yet.
    public Owned() {}

    /// Adds and returns a child.
    public <T extends AutoCloseable> T add(T child) {
        children.push(child);
        return child;
    }

    /// Closes everything after a failure; further failures are added to that one.
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
