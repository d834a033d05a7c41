package io.samplesort.cpu.threads;

import io.samplesort.reports.SortWatch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Runs the parts of one sort on the calling thread and on [Helpers].
///
/// A thread that waits for a part runs other parts of the same sort meanwhile, and nothing else. In a fork-join pool it
/// would also run other tasks, which may call the same sorter that is at work here. Every part can run on the calling
/// thread, so a sort ends even if no helper is ever free.
///
/// Parts may fail, since a comparator of the user's own may throw anything. When a method returns or throws, no part
/// runs any more, so nothing is written to buffers that the next sort uses. The exception is the one that was thrown
/// first, unchanged.
public final class Parallel implements Loops {
    /// Runs everything on the calling thread, for any number of sorts.
    public static final Parallel ALONE = new Parallel(1, Runnable::run, SortWatch.none());

    /// Stands for every thread other than the calling one.
    private static final Thread ANOTHER_THREAD = new Thread();

    private final int parallelism;
    private final Executor helpers;
    private final SortWatch watch;
    private final ReentrantLock lock = new ReentrantLock();
    /// Signals that a part is done, or that more parts are waiting.
    private final Condition changed = lock.newCondition();
    /// Parts that no thread has begun, from the oldest to the newest. The lock guards this and the next two.
    private final LinkedHashSet<Part> waiting = new LinkedHashSet<>();
    /// Threads that wait for a part and run another one meanwhile.
    private final Set<Thread> busyWaiters = new HashSet<>();

    private int helperCount;
    private volatile Throwable failure;

    /// Uses the helpers that all sorters share.
    ///
    /// @param parallelism how many threads work at once; 1 for the calling thread alone
    public Parallel(int parallelism) {
        this(parallelism, parallelism == 1 ? Runnable::run : Helpers.shared());
    }

    public Parallel(int parallelism, Executor helpers) {
        this(parallelism, helpers, SortWatch.current());
    }

    private Parallel(int parallelism, Executor helpers, SortWatch watch) {
        this.parallelism = parallelism;
        this.helpers = helpers;
        this.watch = watch;
    }

    /// Returns how many threads may work on a sort at once: one for each core, unless the common pool has been given
    /// fewer.
    public static int commonParallelism() {
        return Helpers.commonParallelism();
    }

    /// Returns whether helpers may use the segment, and not only the calling thread.
    public static boolean isShared(MemorySegment segment) {
        return segment.isAccessibleBy(ANOTHER_THREAD);
    }

    public int parallelism() {
        return parallelism;
    }

    /// Returns a crew with the same number of threads, to be closed when its sort is done.
    public Crew crew() {
        return new Crew(parallelism, helpers);
    }

    @Override
    public void forRanges(long count, long grain, RangeBody body) {
        if (parallelism == 1 || count <= grain) {
            for (long from = 0; from < count; from += grain) {
                watch.mayStopReading();
                body.accept(from, Math.min(from + grain, count));
            }
            return;
        }
        AtomicLong next = new AtomicLong();
        run(Collections.nCopies(parallelism, () -> {
            for (long from = next.getAndAdd(grain); from < count; from = next.getAndAdd(grain)) {
                if (failure != null) {
                    return;
                }
                watch.mayStopReading();
                body.accept(from, Math.min(from + grain, count));
            }
        }));
    }

    /// Runs both, at the same time if a thread is free.
    public void both(Runnable first, Runnable second) {
        run(List.of(first, second));
    }

    /// Runs all of `works`, at the same time as far as threads are free. None may wait for another, since one thread
    /// may run all of them.
    public void run(List<Runnable> works) {
        if (parallelism == 1) {
            for (Runnable work : works) {
                watch.mayStopReading();
                work.run();
            }
            return;
        }
        List<Part> parts = new ArrayList<>(works.size());
        works.forEach(work -> parts.add(new Part(work)));
        offer(parts.subList(1, parts.size()));
        parts.getFirst().run();
        parts.forEach(this::await);
        rethrowFailure();
    }

    private final class Part {
        private final Runnable work;
        /// Guarded by the lock.
        private boolean isDone;

        Part(Runnable work) {
            this.work = work;
        }

        void run() {
            Throwable thrown = null;
            try {
                if (failure == null) {
                    watch.mayStopReading();
                    work.run();
                }
            } catch (Throwable e) {
                thrown = e;
            }
            lock.lock();
            try {
                if (failure == null) {
                    failure = thrown;
                }
                isDone = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Offers these parts to other threads, and asks for as many helpers as may be of use.
    private void offer(List<Part> parts) {
        lock.lock();
        try {
            waiting.addAll(parts);
            changed.signalAll();
            for (int i = 0; i < parts.size() && helperCount < parallelism - 1; i++) {
                helperCount++;
                helpers.execute(this::help);
            }
        } catch (OutOfMemoryError e) {
            // The system refuses another thread, so the existing ones do the work.
            helperCount--;
        } finally {
            lock.unlock();
        }
    }

    /// Helps with this sort until no part is waiting.
    private void help() {
        lock.lock();
        try {
            while (!waiting.isEmpty()) {
                // The oldest part is mostly the largest.
                runUnlocked(waiting.removeFirst());
            }
            helperCount--;
        } finally {
            lock.unlock();
        }
    }

    /// Returns when the part is done. If no thread has begun the part, this one does. Otherwise it runs other parts
    /// meanwhile, the newest first, which is mostly the smallest. It does not do so again while it waits inside one of
    /// these, since its stack would have no limit. Its interrupt status is restored afterwards.
    private void await(Part awaited) {
        lock.lock();
        try {
            while (!awaited.isDone) {
                if (waiting.remove(awaited)) {
                    runUnlocked(awaited);
                } else if (!waiting.isEmpty() && busyWaiters.add(Thread.currentThread())) {
                    runUnlocked(waiting.removeLast());
                    busyWaiters.remove(Thread.currentThread());
                } else {
                    changed.awaitUninterruptibly();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Runs a part without the lock, which this thread holds before and afterwards.
    private void runUnlocked(Part part) {
        lock.unlock();
        try {
            part.run();
        } finally {
            lock.lock();
        }
    }

    private void rethrowFailure() {
        if (failure != null) {
            Crew.<RuntimeException>rethrow(failure);
        }
    }
}
