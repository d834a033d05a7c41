package io.samplesort.cuda;

import java.util.ArrayDeque;
import java.util.Deque;

/// The children of an object: closed in reverse order, all of them even where one fails.
public final class Owned implements AutoCloseable {
    private final Deque<AutoCloseable> children = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(T child) {
        children.push(child);
        return child;
    }

    /// Closes after a failure, to which further ones are added.
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
