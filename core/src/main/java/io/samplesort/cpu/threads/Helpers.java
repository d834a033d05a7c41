package io.samplesort.cpu.threads;

import io.samplesort.cpu.leaf.Processors;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// The threads that help callers with their sorts. All sorters share them, so that many sorters make no more threads
/// than one. They are started when they are first needed and end when there is nothing to do for a while.
///
/// A request goes to the thread that became idle last, by one call that wakes it. This takes 25 µs on the calling
/// thread and 44 until the other one runs, where the JDK's `ThreadPoolExecutor` takes 50 and 78.
public final class Helpers implements Executor {
    /// The system property that gives the common pool of the JDK its number of threads.
    private static final String COMMON_PARALLELISM = "java.util.concurrent.ForkJoinPool.common.parallelism";

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// Each sort asks for as many helpers as it can use and never takes such a request back. When so many requests
    /// wait, all helpers are busy, and it does not matter that more are dropped: callers do their work without help.
    private static final int MOST_REQUESTS = 1024;

    /// Helpers that were started in this process.
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final int most;
    /// The threads that wait for work, the last to do so at the end. This object guards it and the next three.
    private final ArrayDeque<Helper> idle;
    /// Requests for which no thread was idle.
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    private int threadCount;
    private boolean isShutDown;

    /// Makes helpers of one's own. Whoever does so shuts them down.
    ///
    /// @param most threads that there are at once
    public Helpers(int most) {
        this.most = most;
        this.idle = new ArrayDeque<>(most);
    }

    private static final class Shared {
        static final Helpers HELPERS = new Helpers(Math.max(1, commonParallelism() - 1));
    }

    /// Returns how many threads may work on a sort at once: one for each core, unless the common pool has been given
    /// fewer.
    public static int commonParallelism() {
        int cores = Runtime.getRuntime().availableProcessors();
        // The pool itself is asked only where it may differ, as it takes 15 ms to load.
        return System.getProperty(COMMON_PARALLELISM) == null
                ? cores
                : Math.max(1, Math.min(cores, ForkJoinPool.getCommonPoolParallelism() + 1));
    }

    /// Returns the helpers that all sorters share.
    public static Helpers shared() {
        return Shared.HELPERS;
    }

    /// Has a thread run `work`, now or when one is idle again.
    ///
    /// @throws OutOfMemoryError if the system refuses another thread
    @Override
    public void execute(Runnable work) {
        Helper helper;
        synchronized (this) {
            helper = idle.pollLast();
            if (helper == null) {
                if (isShutDown || threadCount == most) {
                    wait(work);
                    return;
                }
                threadCount++;
            }
        }
        if (helper == null) {
            start(work);
        } else {
            helper.give(work);
        }
    }

    private void wait(Runnable work) {
        if (!isShutDown && waiting.size() < MOST_REQUESTS) {
            waiting.add(work);
        }
    }

    private void start(Runnable work) {
        boolean isStarted = false;
        try {
            new Helper(work).thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                end();
            }
        }
    }

    private synchronized void end() {
        threadCount--;
    }

    synchronized int threadCount() {
        return threadCount;
    }

    synchronized int busyCount() {
        return threadCount - idle.size();
    }

    /// Lets all threads end when they have done what was asked of them.
    public synchronized void shutdown() {
        isShutDown = true;
        idle.forEach(helper -> LockSupport.unpark(helper.thread));
    }

    private final class Helper implements Runnable {
        private final Thread thread;
        /// What is to be done next; null while this thread is idle.
        private volatile Runnable work;
        /// By which the system knows this thread; 0 as long as it is not known.
        private volatile int number;
        /// From which this thread is kept away while it wakes up; -1 for none.
        private volatile int avoided = -1;

        /// A factory of threads would take 8 ms in the first sort of a process.
        Helper(Runnable work) {
            this.work = work;
            this.thread = new Thread(null, this, "samplesort-" + STARTED.incrementAndGet(), 0, false);
            thread.setDaemon(true);
        }

        /// Wakes this thread elsewhere than where the calling one runs, which has work of its own.
        void give(Runnable next) {
            avoided = number == 0 ? -1 : Processors.keepAway(number);
            work = next;
            LockSupport.unpark(thread);
        }

        @Override
        public void run() {
            do {
                runWork();
            } while (findWork() || awaitWork());
        }

        /// The first sort of a process does not wake a thread, and should not load what this takes.
        private void wakeUp() {
            if (avoided >= 0) {
                Processors.allow(avoided);
                avoided = -1;
            }
            if (number == 0) {
                number = Processors.threadNumber();
            }
        }

        /// Keeps no reference to what is done, since it holds on to the memory of a sort. Keeps no interrupt either: it
        /// would end the sorts of others, which run here later, and keep this thread from sleeping. A comparator may
        /// leave one, and so does Java in a thread that uses a segment whose arena is closed by another.
        private void runWork() {
            Runnable now = work;
            work = null;
            try {
                now.run();
            } catch (Throwable e) {
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            } finally {
                Thread.interrupted();
            }
        }

        /// Takes a request that waits, and otherwise becomes idle.
        private boolean findWork() {
            synchronized (Helpers.this) {
                work = waiting.poll();
                if (work == null) {
                    idle.addLast(this);
                }
                return work != null;
            }
        }

        /// Returns false, and is idle no more, if nothing has come for long.
        private boolean awaitWork() {
            long end = System.nanoTime() + IDLE_NANOS;
            while (work == null) {
                LockSupport.parkNanos(this, end - System.nanoTime());
                if (work == null && leaves(end)) {
                    return false;
                }
            }
            wakeUp();
            return true;
        }

        private boolean leaves(long end) {
            synchronized (Helpers.this) {
                // Who has taken this thread from the idle ones is about to give it work.
                boolean isLeaving = (isShutDown || System.nanoTime() - end >= 0) && idle.remove(this);
                threadCount -= isLeaving ? 1 : 0;
                return isLeaving;
            }
        }
    }
}
