package io.samplesort.cuda;

import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Work on a thread of its own. Callers do something else before they need the result.
///
/// @param <T> the type of the result
public final class Background<T> {
    /// NVRTC is recursive and needs more stack than threads may have by default.
    private static final long STACK_BYTES = 16L << 20;

    private final FutureTask<T> task;

    private Background(FutureTask<T> task) {
        this.task = task;
    }

    /// Starts work at once. It does not keep the process alive.
    ///
    /// @param name the name of the thread, after `samplesort-`
    public static <T> Background<T> start(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        run(name, task);
        return new Background<>(task);
    }

    /// Starts work without a result at once. It does not keep the process alive.
    static void run(String name, Runnable work) {
        Thread thread = new Thread(null, work, "samplesort-" + name, STACK_BYTES, false);
        thread.setDaemon(true);
        thread.start();
    }

    /// Waits for the end of all work, even if some of it fails, and throws the first failure; the others are added to
    /// it.
    public static void finish(Collection<? extends Background<?>> all) {
        Throwable failure = null;
        for (Background<?> work : all) {
            try {
                work.result();
            } catch (RuntimeException | Error e) {
                if (failure == null) {
                    failure = e;
                } else if (!failure.equals(e)) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    /// Waits for the end, even if this thread is interrupted. Returns the result, or throws what the work threw.
    public T result() {
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
