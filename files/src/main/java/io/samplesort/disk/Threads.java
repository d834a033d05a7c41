package io.samplesort.disk;

/// Waiting for threads that use memory of the caller.
final class Threads {
    private Threads() {}

    /// Waits for the end of a thread, since it uses the memory until then. An interrupt is kept for later.
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
