package io.samplesort.gpu.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/// A thread for each GPU of an exchange; for the first GPU it is the calling thread. Giving a GPU its work takes some
/// hundred driver calls, as long as sorting millions of keys, so a single thread would keep the other GPUs waiting.
///
/// Waking a thread takes as long as a dozen of these calls or more. So between two pieces of work the threads look for
/// the next one for a while before they sleep. When its own work is done, the calling thread also does what other
/// threads have not begun yet. The threads are started when they are first needed. Only one caller at a time may use
/// this.
public final class TeamThreads implements AutoCloseable {
    /// How long a thread waits without sleeping: a few times as long as waking one takes.
    private static final long PATIENCE_NANOS = 300_000;

    private final List<Helper> helpers = new ArrayList<>();
    private volatile boolean isClosed;

    /// @param count how many threads work at once, including the calling one
    public TeamThreads(int count) {
        for (int number = 1; number < count; number++) {
            helpers.add(new Helper(number));
        }
    }

    /// Wakes sleeping threads for work that will come soon.
    public void wake() {
        for (Helper helper : helpers) {
            LockSupport.unpark(helper.thread);
        }
    }

    /// Calls `work` with all numbers from 0 on, each on its own thread if that is awake, and returns when all calls
    /// have ended. An interrupt is kept for later.
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
        /// The work to be done; null once a thread has begun it.
        private final AtomicReference<IntConsumer> work = new AtomicReference<>();

        private volatile boolean isDone = true;
        /// The thread that sleeps until the work is done; null if none does.
        private volatile Thread sleeper;
        /// What the last work threw, or null. Threads read it once they have seen that the work is done.
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

        /// Does the work on the calling thread if no thread has begun it.
        void doIfNotBegun() {
            IntConsumer taken = work.getAndSet(null);
            if (taken != null) {
                failure = call(taken, number);
                isDone = true;
            }
        }

        /// Waits until the work is done, and returns what it has thrown, or null.
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
