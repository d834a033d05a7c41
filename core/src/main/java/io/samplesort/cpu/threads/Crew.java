package io.samplesort.cpu.threads;

import io.samplesort.reports.SortWatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Threads that run one loop of a sort after the other: the thread that made the crew and some [Helpers]. Waking a
/// thread takes as long as sorting ten thousand keys, so between two loops helpers look for the next one for a while
/// before they leave. For the same reason each helper that comes wakes others, until all are awake.
///
/// Only the thread that made the crew begins loops; it does all of a loop if no helper is free. A loop inside another
/// one runs on the thread that begins it.
public final class Crew implements Loops, AutoCloseable {
    /// How long a thread waits without sleeping: a few times as long as it takes to wake a thread.
    public static final long PATIENCE_NANOS = 300_000;

    /// At most this many helpers are woken by the thread that needs them, since it has other work to do.
    private static final int WOKEN_AT_ONCE = 4;

    private final int size;
    private final Executor helpers;
    private final SortWatch watch = SortWatch.current();
    /// Helpers that were asked to come and have not left.
    private final AtomicInteger asked = new AtomicInteger();
    /// How many of them have not been woken yet.
    private final AtomicInteger untold = new AtomicInteger();
    /// Null between loops.
    private volatile Loop loop;

    private volatile boolean isClosed;
    private final Runnable help = new Help();

    /// @param size how many threads work at once; 1 for the calling thread alone
    public Crew(int size, Executor helpers) {
        this.size = size;
        this.helpers = helpers;
    }

    public int size() {
        return size;
    }

    /// Returns what watches the sort of this crew.
    public SortWatch watch() {
        return watch;
    }

    /// Calls helpers for a loop that will begin soon.
    public void gather() {
        ask(size - 1);
    }

    @Override
    public void forRanges(long count, long grain, RangeBody body) {
        if (size == 1 || count <= grain || loop != null) {
            for (long from = 0; from < count; from += grain) {
                watch.mayStopReading();
                body.accept(from, Math.min(from + grain, count));
            }
            return;
        }
        Loop current = new Loop(count, grain, body, watch);
        loop = current;
        try {
            ask((int) Math.min(size - 1L, (count - 1) / grain));
        } catch (Throwable e) {
            current.fail(e);
        }
        current.work();
        current.await();
        // This comes after all helpers are done, because a loop that one of them begins is inside this one.
        loop = null;
        current.rethrowFailure();
    }

    /// Lets helpers go.
    @Override
    public void close() {
        isClosed = true;
    }

    /// Asks for helpers until this many are here or on their way.
    private void ask(int wanted) {
        int missing = wanted - asked.get();
        if (missing > 0) {
            asked.addAndGet(missing);
            untold.addAndGet(missing);
            tell(WOKEN_AT_ONCE);
        }
    }

    /// Wakes some of the helpers that were asked for.
    private void tell(int most) {
        for (int i = 0; i < most; i++) {
            int left = untold.get();
            while (left > 0 && !untold.compareAndSet(left, left - 1)) {
                left = untold.get();
            }
            if (left <= 0) {
                return;
            }
            try {
                helpers.execute(help);
            } catch (OutOfMemoryError e) {
                // The system refuses another thread, so the existing ones do the work.
                asked.decrementAndGet();
            }
        }
    }

    private final class Help implements Runnable {
        @Override
        public void run() {
            help();
        }
    }

    private void help() {
        tell(isClosed ? 0 : size);
        do {
            takePart();
            asked.decrementAndGet();
            // Meanwhile a loop may have begun that still counts on this helper.
        } while (!isClosed && isInLoop() && asked.incrementAndGet() > 0);
    }

    private boolean isInLoop() {
        Loop current = loop;
        return current != null && current.hasMore();
    }

    /// Does a helper's part of each loop until none has begun for a while.
    private void takePart() {
        long waitingSince = System.nanoTime();
        while (!isClosed) {
            Loop current = loop;
            if (current != null && current.hasMore()) {
                current.join();
                waitingSince = System.nanoTime();
            } else if (System.nanoTime() - waitingSince < PATIENCE_NANOS) {
                Thread.onSpinWait();
            } else {
                return;
            }
        }
    }

    private static final class Loop {
        private final long count;
        private final long grain;
        private final RangeBody body;
        private final SortWatch watch;
        private final AtomicLong next = new AtomicLong();
        /// How many helpers may be calling the body. A helper that comes after the last range has begun calls nothing.
        private final AtomicInteger active = new AtomicInteger();

        private volatile Throwable failure;
        /// The thread that sleeps until no helper is active; null while it does not sleep.
        private volatile Thread sleeper;

        Loop(long count, long grain, RangeBody body, SortWatch watch) {
            this.count = count;
            this.grain = grain;
            this.body = body;
            this.watch = watch;
        }

        boolean hasMore() {
            return next.get() < count && failure == null;
        }

        void join() {
            active.incrementAndGet();
            work();
            if (active.decrementAndGet() == 0) {
                LockSupport.unpark(sleeper);
            }
        }

        void work() {
            try {
                for (long from = next.getAndAdd(grain); from < count; from = next.getAndAdd(grain)) {
                    if (failure != null) {
                        return;
                    }
                    watch.mayStopReading();
                    body.accept(from, Math.min(from + grain, count));
                }
            } catch (Throwable e) {
                fail(e);
            }
        }

        synchronized void fail(Throwable thrown) {
            failure = failure == null ? thrown : failure;
        }

        /// Returns when no helper is active. The interrupt status is restored afterwards.
        void await() {
            long start = System.nanoTime();
            while (active.get() > 0 && System.nanoTime() - start < PATIENCE_NANOS) {
                Thread.onSpinWait();
            }
            if (active.get() == 0) {
                return;
            }
            sleeper = Thread.currentThread();
            boolean isInterrupted = false;
            while (active.get() > 0) {
                LockSupport.park(this);
                isInterrupted |= Thread.interrupted();
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void rethrowFailure() {
            if (failure != null) {
                Crew.<RuntimeException>rethrow(failure);
            }
        }
    }

    /// Throws any exception, even a checked one that a comparator has thrown in spite of its signature.
    @SuppressWarnings("unchecked")
    static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
