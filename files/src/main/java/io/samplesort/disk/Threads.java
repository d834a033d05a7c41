package io.samplesort.disk;

/// Waits for threads that use memory of the caller.
final class Threads {
    private Threads() {}

    /// Waits for the end of a thread, which uses the memory until then. The interrupt status of this thread is restored
    /// afterwards.
    static void join(Thread thread) {
        boolean wasInterrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
