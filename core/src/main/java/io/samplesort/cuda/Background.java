package io.samplesort.cuda;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Work on a thread of its own, for callers who have something else to do, or several of it, before they need the
/// result.
///
/// @param <T> of the result
public final class Background<T> {
    /// NVRTC is recursive, and the default may be small.
    private static final long STACK_BYTES = 16L << 20;

    private final FutureTask<T> task;

    private Background(FutureTask<T> task) {
        this.task = task;
    }

    /// Begins at once. The work does not keep the process alive.
    ///
    /// @param name of the thread, after `samplesort-`
    public static <T> Background<T> start(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        run(name, task);
        return new Background<>(task);
    }

    /// The same for work without a result.
    static void run(String name, Runnable work) {
        Thread thread = new Thread(null, work, "samplesort-" + name, STACK_BYTES, false);
        thread.setDaemon(true);
        thread.start();
    }

    /// Waits for the end, whatever interrupts this thread, and throws what the work threw.
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
