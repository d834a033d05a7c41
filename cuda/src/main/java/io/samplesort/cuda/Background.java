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

    /// Starts work at once, for a caller who waits for it. It does not keep the process alive.
    ///
    /// @param name the name of the thread, after `samplesort-`
    public static <T> Background<T> start(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        run(name, task);
        return new Background<>(task);
    }

    /// Returns work that is done already.
    public static <T> Background<T> done(T result) {
        FutureTask<T> task = new FutureTask<>(() -> result);
        task.run();
        return new Background<>(task);
    }

    /// Starts work at once that calls the driver or the compiler, and for which possibly no thread waits. If the
    /// process ends meanwhile, its end waits for this work ([ExitWait]).
    public static <T> Background<T> startNative(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        runNative(name, task);
        return new Background<>(task);
    }

    /// Does the same for work without a result.
    static void runNative(String name, Runnable work) {
        Thread[] own = new Thread[1];
        own[0] = thread(name, () -> {
            try {
                work.run();
            } finally {
                ExitWait.remove(own[0]);
            }
        });
        ExitWait.add(own[0]);
        own[0].start();
    }

    private static void run(String name, Runnable work) {
        thread(name, work).start();
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(null, work, "samplesort-" + name, STACK_BYTES, false);
        thread.setDaemon(true);
        return thread;
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

    /// Returns whether the work has ended, be it with a failure, so that [#result] does not wait.
    public boolean isDone() {
        return task.isDone();
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
