package io.samplesort.gpu.host;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The monitor that the threads of a flow share, and the first failure of any of them. Threads take turns every few
/// microseconds, and waking a thread takes longer than anything that one does here. So a thread that waits for its turn
/// polls, and a thread that waits for a change polls for some time before it sleeps.
final class FlowMonitor {
    /// How often a thread polls before it reads the clock.
    private static final int LOOKS = 100;

    /// How often a thread polls, which takes some 0.2 ms, before it yields to other threads of its processor. Another
    /// program may then run for several milliseconds.
    private static final int LOOKS_WITHOUT_TURN = 5000;

    private static final long NOBODY = 0;

    /// The number of the thread inside, which is positive.
    private final AtomicLong owner = new AtomicLong(NOBODY);
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger sleepers = new AtomicInteger();
    /// How many times the owner has entered.
    private int depth;

    private final long awakeNanos;
    private volatile Throwable failure;

    /// @param awakeNanos how long a thread waits for a change before it sleeps
    FlowMonitor(long awakeNanos) {
        this.awakeNanos = awakeNanos;
    }

    /// Changes something that threads may be waiting for, and makes them look again.
    void change(Runnable change) {
        enter();
        try {
            change.run();
            changes.incrementAndGet();
        } finally {
            leave();
        }
        if (sleepers.get() > 0) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /// Does something while no other thread is inside.
    <T> T alone(Supplier<T> work) {
        enter();
        try {
            return work.get();
        } finally {
            leave();
        }
    }

    private void enter() {
        long me = Thread.currentThread().threadId();
        if (owner.get() != me) {
            for (int look = 1; !owner.compareAndSet(NOBODY, me); look++) {
                pause(look);
            }
        }
        depth++;
    }

    private void leave() {
        depth--;
        if (depth == 0) {
            owner.set(NOBODY);
        }
    }

    /// Waits for a moment between two polls.
    @SuppressWarnings("ThreadPriorityCheck") // A wait may only last longer where threads share a processor.
    static void pause(int look) {
        if (look >= LOOKS_WITHOUT_TURN && look % LOOKS == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
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

    boolean hasFailed() {
        return failure != null;
    }

    void rethrowFailure() {
        switch (failure) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            default -> throw new AssertionError("only unchecked exceptions are thrown", failure);
        }
    }

    /// Waits for a condition. The condition is evaluated as in [#alone], and other threads may enter in between. An
    /// interrupt is kept for later, since host memory must not be left half copied.
    void await(BooleanSupplier condition) {
        boolean wasInterrupted = false;
        enter();
        try {
            while (!condition.getAsBoolean()) {
                int seen = changes.get();
                int entered = depth;
                depth = 0;
                owner.set(NOBODY);
                wasInterrupted |= awaitChange(seen);
                enter();
                depth = entered;
            }
        } finally {
            leave();
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Returns whether the thread was interrupted.
    private boolean awaitChange(int seen) {
        long start = System.nanoTime();
        for (int look = 1; awakeNanos > 0 && changes.get() == seen; look++) {
            pause(look);
            if (look % LOOKS == 0 && System.nanoTime() - start > awakeNanos) {
                break;
            }
        }
        return changes.get() == seen && sleepUntilChange(seen);
    }

    private synchronized boolean sleepUntilChange(int seen) {
        boolean wasInterrupted = false;
        sleepers.incrementAndGet();
        while (changes.get() == seen) {
            try {
                wait();
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        sleepers.decrementAndGet();
        return wasInterrupted;
    }
}
