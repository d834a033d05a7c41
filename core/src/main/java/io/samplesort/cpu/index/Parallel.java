package io.samplesort.cpu.index;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// Runs parts of one sort in parallel on the current pool. They may fail, since a comparator of the user's own may
/// throw anything.
///
/// The pool would hand on a copy of an exception, and would do so while other tasks still run. Here no task runs any
/// more when a method returns or throws, so nothing is written to buffers that the next sort uses. The exception is the
/// very one that was thrown first.
final class Parallel {
    private final int parallelism;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /// @param parallelism how many threads work at once; 1 for the calling thread alone
    Parallel(int parallelism) {
        this.parallelism = parallelism;
    }

    int parallelism() {
        return parallelism;
    }

    /// Work on the elements `from..to`.
    @FunctionalInterface
    interface RangeBody {
        void accept(long from, long to);
    }

    /// Calls `body` for ranges of at most `grain` elements that together are `0..count`, roughly from first to last.
    void forRanges(long count, long grain, RangeBody body) {
        if (parallelism == 1 || count <= grain) {
            for (long from = 0; from < count; from += grain) {
                body.accept(from, Math.min(from + grain, count));
            }
            return;
        }
        AtomicLong next = new AtomicLong();
        Runnable share = () -> {
            for (long from = next.getAndAdd(grain); from < count; from = next.getAndAdd(grain)) {
                if (failure.get() != null) {
                    return;
                }
                body.accept(from, Math.min(from + grain, count));
            }
        };
        List<RecursiveAction> tasks = new ArrayList<>(parallelism);
        for (int i = 0; i < parallelism; i++) {
            tasks.add(guarded(share));
        }
        ForkJoinTask.invokeAll(tasks);
        rethrowFailure();
    }

    /// Runs both, at the same time if a thread is free.
    void both(Runnable first, Runnable second) {
        if (parallelism == 1) {
            first.run();
            second.run();
            return;
        }
        ForkJoinTask.invokeAll(guarded(first), guarded(second));
        rethrowFailure();
    }

    private RecursiveAction guarded(Runnable work) {
        return new RecursiveAction() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void compute() {
                if (failure.get() != null) {
                    return;
                }
                try {
                    work.run();
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                }
            }
        };
    }

    private void rethrowFailure() {
        switch (failure.get()) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            case Throwable other -> throw new AssertionError("only unchecked ones are kept", other);
        }
    }
}
