package io.samplesort.gpu.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/// A thread for each GPU of an exchange, the calling one for the first. To give a GPU its work is some hundred calls of
/// the driver, which take as long as sorting millions of keys, so that one thread for all GPUs would have them wait.
///
/// To wake a thread takes as long as a dozen of these calls or more. So between two pieces of work threads look for the
/// next one for a while before they sleep, and the calling thread does what a thread has not begun by the time that its
/// own work is done. They are started when they are first needed. For one caller at a time.
public final class TeamThreads implements AutoCloseable {
    /// So long a thread waits without sleeping, a few times as long as it takes to wake one.
    private static final long PATIENCE_NANOS = 300_000;

    private final List<Helper> helpers = new ArrayList<>();
    private volatile boolean isClosed;

    /// @param count how many threads work at once, with the calling one
    public TeamThreads(int count) {
        for (int number = 1; number < count; number++) {
            helpers.add(new Helper(number));
        }
    }

    /// Wakes the threads that sleep, for work that will come soon.
    public void wake() {
        for (Helper helper : helpers) {
            LockSupport.unpark(helper.thread);
        }
    }

    /// Calls `work` with all numbers from 0 on, each on its thread if that is awake, and returns when all calls have
    /// ended. An interrupt is kept for later.
    ///
    /// @return what each call has thrown, null for nothing
    Throwable[] run(IntConsumer work) {
        for (Helper helper : helpers) {
            helper.give(work);
        }
        Throwable[] thrown = new Throwable[1 + helpers.size()];
        thrown[0] = call(work, 0);
        helpers.forEach(Helper::doIfNotBegun);
        for (Helper helper : helpers) {
            thrown[helper.number] = helper.await();
        }
        return thrown;
    }

    private static Throwable call(IntConsumer work, int number) {
        try {
            work.accept(number);
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /// Lets the threads end.
    @Override
    public void close() {
        isClosed = true;
        wake();
    }

    private final class Helper implements Runnable {
        private final int number;
        private final Thread thread;
        /// What is to be done; null once a thread has begun it.
        private final AtomicReference<IntConsumer> work = new AtomicReference<>();

        private volatile boolean isDone = true;
        /// The thread that sleeps until the work is done; null while it does not.
        private volatile Thread sleeper;
        /// What the last work threw, or null, for whoever has seen that it is done.
        private Throwable failure;

        Helper(int number) {
            this.number = number;
            thread = new Thread(null, this, "samplesort-gpu-" + number, 0, false);
            thread.setDaemon(true);
        }

        void give(IntConsumer next) {
            isDone = false;
            work.set(next);
            if (thread.getState() == Thread.State.NEW) {
                thread.start();
            } else {
                LockSupport.unpark(thread);
            }
        }

        /// Does the work, by the thread that calls this, if no thread has begun it.
        void doIfNotBegun() {
            IntConsumer taken = work.getAndSet(null);
            if (taken != null) {
                failure = call(taken, number);
                isDone = true;
            }
        }

        /// Returns what the work has thrown, or null, when it is done.
        Throwable await() {
            long start = System.nanoTime();
            while (!isDone && System.nanoTime() - start < PATIENCE_NANOS) {
                Thread.onSpinWait();
            }
            boolean isInterrupted = false;
            sleeper = Thread.currentThread();
            while (!isDone) {
                LockSupport.park(this);
                isInterrupted |= Thread.interrupted();
            }
            sleeper = null;
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            return failure;
        }

        @Override
        public void run() {
            while (!isClosed) {
                long start = System.nanoTime();
                while (work.get() == null && !isClosed && System.nanoTime() - start < PATIENCE_NANOS) {
                    Thread.onSpinWait();
                }
                if (work.get() == null && !isClosed) {
                    LockSupport.park(this);
                }
                doIfNotBegun();
                LockSupport.unpark(sleeper);
            }
        }
    }
}
