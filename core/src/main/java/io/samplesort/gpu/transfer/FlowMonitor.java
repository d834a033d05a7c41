package io.samplesort.gpu.transfer;

import java.util.function.BooleanSupplier;

/// The monitor that the threads of a flow share, and the first failure of any of them.
final class FlowMonitor {
    private Throwable failure;

    /// Changes what threads may be waiting for, and has them look again.
    synchronized void change(Runnable change) {
        change.run();
        notifyAll();
    }

    /// Keeps a failure for [#rethrowFailure]; later ones are added to the first.
    void fail(Throwable e) {
        change(() -> {
            if (failure == null) {
                failure = e;
            } else if (!failure.equals(e)) {
                failure.addSuppressed(e);
            }
        });
    }

    synchronized boolean hasFailed() {
        return failure != null;
    }

    synchronized void rethrowFailure() {
        switch (failure) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            default -> throw new AssertionError("only unchecked exceptions are thrown", failure);
        }
    }

    /// Waits for a condition, which is asked under this monitor. An interrupt is kept for later, since host memory must
    /// not be left half copied.
    synchronized void await(BooleanSupplier condition) {
        boolean wasInterrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
