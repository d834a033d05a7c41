package io.samplesort.gpu;

import java.util.ArrayDeque;
import java.util.Deque;

/// What a constructor has made so far: closed in reverse order if it fails half-way.
final class Owned implements AutoCloseable {
    private final Deque<AutoCloseable> children = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T child) {
        children.push(child);
        return child;
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
