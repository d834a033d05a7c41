package io.samplesort.cuda;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Lets the end of the process wait for threads that are in the driver or the compiler. When a process ends, the system
/// takes down its native libraries while daemon threads go on, and a thread that compiles then crashes the process. So
/// the end waits for the few seconds that a compilation takes, and what was compiled is kept for the next process.
final class ExitWait {
    /// A driver or compiler that takes longer hangs, and the process should end all the same.
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(2);

    /// A thread that has ended for Java may still give back memory of a native library for this long.
    private static final long ENDING_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /// Guards itself and the next three.
    private static final Set<Thread> THREADS = new HashSet<>();

    private static boolean isHooked;
    private static boolean isEnding;
    /// When the last thread was removed.
    private static long lastEnd = System.nanoTime() - ENDING_NANOS;

    private ExitWait() {}

    /// Adds a thread that is not started yet.
    static void add(Thread thread) {
        synchronized (THREADS) {
            THREADS.add(thread);
            if (!isHooked) {
                isHooked = true;
                hook();
            }
        }
    }

    private static void hook() {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(ExitWait::await, "samplesort-exit"));
        } catch (IllegalStateException e) {
            // The process ends already, and this thread belongs to another hook, which waits for its sort.
        }
    }

    /// Removes a thread whose work is done. If the process is ending, the thread does not return: while it ended, it
    /// would use native libraries that are being taken down.
    static void remove(Thread thread) {
        boolean parks;
        synchronized (THREADS) {
            THREADS.remove(thread);
            lastEnd = System.nanoTime();
            THREADS.notifyAll();
            parks = isEnding;
        }
        while (parks) {
            LockSupport.park();
        }
    }

    private static void await() {
        long end = System.nanoTime() + MOST_NANOS;
        synchronized (THREADS) {
            isEnding = true;
            long ended = lastEnd + ENDING_NANOS;
            try {
                while (!THREADS.isEmpty() && end - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.timedWait(THREADS, end - System.nanoTime());
                }
                while (ended - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.timedWait(THREADS, ended - System.nanoTime());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
