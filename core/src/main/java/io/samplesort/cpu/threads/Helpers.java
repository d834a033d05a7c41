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
    /// The system property that sets the number of threads of the JDK's common pool.
    private static final String COMMON_PARALLELISM = "java.util.concurrent.ForkJoinPool.common.parallelism";

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// Each sort asks for as many helpers as it can use and never takes such a request back. When this many requests
    /// wait, all helpers are busy, and it does no harm to drop further ones: callers then do their work without help.
    private static final int MOST_REQUESTS = 1024;

    /// Helpers that were started in this process.
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final int most;
    /// The threads that wait for work, the latest at the end. This object guards this field and the next three.
    private final ArrayDeque<Helper> idle;
    /// Requests for which no thread was idle.
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    private int threadCount;
    private boolean isShutDown;

    /// Makes helpers for the caller alone, who must shut them down.
    ///
    /// @param most the most threads at once
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
        // The pool itself is asked only if it may differ, as it takes 15 ms to load.
        return System.getProperty(COMMON_PARALLELISM) == null
                ? cores
                : Math.max(1, Math.min(cores, ForkJoinPool.getCommonPoolParallelism() + 1));
    }

    /// Returns the helpers that all sorters share.
    public static Helpers shared() {
        return Shared.HELPERS;
    }

    /// Makes a thread run `work`, now or when one is idle again.
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
        /// The system's number of this thread; 0 as long as it is not known.
        private volatile int number;
        /// The processor from which this thread is kept away while it wakes up; -1 for none.
        private volatile int avoided = -1;

        /// A factory of threads would take 8 ms in the first sort of a process.
        Helper(Runnable work) {
            this.work = work;
            this.thread = new Thread(null, this, "samplesort-" + STARTED.incrementAndGet(), 0, false);
            thread.setDaemon(true);
        }

        /// Wakes this thread on another processor than that of the calling thread, which has work of its own.
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

        /// Wakes the thread. This is a method of its own, since the first sort of a process wakes no thread, and should
        /// not load what this needs.
        private void wakeUp() {
            if (avoided >= 0) {
                Processors.allow(avoided);
                avoided = -1;
            }
            if (number == 0) {
                number = Processors.threadNumber();
            }
        }

        /// Runs the work and keeps no reference to it, since that would keep the memory of a sort alive. It keeps no
        /// interrupt either, which would end other sorts that run here later, and keep this thread from sleeping. A
        /// comparator may leave an interrupt, and so does Java in a thread that uses a segment while another closes its
        /// arena.
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

        /// Takes a waiting request, or becomes idle if there is none.
        private boolean findWork() {
            synchronized (Helpers.this) {
                work = waiting.poll();
                if (work == null) {
                    idle.addLast(this);
                }
                return work != null;
            }
        }

        /// Waits for work. If none has come for long, the thread is no longer idle, and this returns false.
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
                // If another thread has taken this one from the idle ones, it is about to give it work.
                boolean isLeaving = (isShutDown || System.nanoTime() - end >= 0) && idle.remove(this);
                threadCount -= isLeaving ? 1 : 0;
                return isLeaving;
            }
        }
    }
}
