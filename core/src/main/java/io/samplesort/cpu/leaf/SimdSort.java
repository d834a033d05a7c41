package io.samplesort.cpu.leaf;

import java.util.Arrays;

/// The SIMD sort of this process: the kernels of this engine, or where the processor lacks the instructions for them,
/// the sort of ints that is part of the JDK.
final class SimdSort {
    /// For fewer elements a call costs more than it saves.
    private static final int LEAST_COUNT = 96;

    /// Null before it is loaded, and if there is none.
    private static volatile SimdSort loaded;

    /// Null if it is the JDK's.
    private final Kernels kernels;
    /// Null if it is that of the kernels.
    private final JdkSort jdk;

    SimdSort(Kernels kernels) {
        this.kernels = kernels;
        this.jdk = null;
    }

    SimdSort(JdkSort jdk) {
        this.kernels = null;
        this.jdk = jdk;
    }

    /// Returns the sort for this processor; null if there is none, if it is not loaded yet, or if this process may not
    /// call native functions.
    static SimdSort find() {
        if (loaded == null && isAllowed()) {
            Load.begin();
        }
        return loaded;
    }

    /// Returns the sort if it is loaded; null otherwise.
    static SimdSort loaded() {
        return loaded;
    }

    /// Returns what [#find] will return when the sort is loaded.
    static SimdSort awaitLoaded() {
        return isAllowed() ? Load.LOAD.await().sort() : null;
    }

    /// Returns what runs in this process, or why nothing does, for users. Waits until it is loaded.
    static String words() {
        String numbers = isAllowed()
                ? Load.LOAD.await().words()
                : SimdLibrary.none(KernelLibrary.refusal()).words();
        String whyNot = TextKernels.problem();
        if (whyNot == null) {
            return numbers + "; for text, those of any x86-64 processor";
        }
        return numbers.contains(whyNot) ? numbers : numbers + "; none for text: " + whyNot;
    }

    /// Returns whether this process may call native functions. Otherwise the virtual machine would print a warning, or
    /// throw, when they are linked.
    static boolean isAllowed() {
        return SimdSort.class.getModule().isNativeAccessEnabled();
    }

    /// Loads the sort once, when it is first asked for. A future of the JDK would take the first sort of a process some
    /// 5 ms: it brings its pool of threads along.
    private static final class Load implements Runnable {
        private static final Load LOAD = start();

        /// Guarded by this object; null before it has ended.
        private SimdLibrary.Found found;

        /// Begins to load when this class is first used.
        static void begin() {}

        private static Load start() {
            Load load = new Load();
            Thread thread = new Thread(null, load, "samplesort-load", 0, false);
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (OutOfMemoryError e) {
                // The system refuses another thread, so sorts go on without.
                load.end(SimdLibrary.none("the system refuses another thread"));
            }
            return load;
        }

        @Override
        public void run() {
            SimdLibrary.Found result = SimdLibrary.none("loading them has failed");
            try {
                result = SimdLibrary.load();
            } finally {
                // After an error sorts go on without.
                end(result);
            }
            // Nobody waits for this.
            KernelLeftovers.remove();
        }

        private synchronized void end(SimdLibrary.Found result) {
            SimdSort.loaded = result.sort();
            found = result;
            notifyAll();
        }

        /// An interrupt is kept for later.
        private synchronized SimdLibrary.Found await() {
            boolean isInterrupted = false;
            while (found == null) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            return found;
        }
    }

    /// Returns the kernels of this engine; null if it is the JDK's sort.
    Kernels kernels() {
        return kernels;
    }

    /// Returns whether it sorts numbers of 8 bytes.
    boolean sortsLongs() {
        return kernels != null;
    }

    /// Sorts `values[from..to)` in signed order.
    void sort(int[] values, int from, int to) {
        if (to - from < LEAST_COUNT) {
            Arrays.sort(values, from, to);
        } else if (kernels != null) {
            kernels.sort(values, from, to);
        } else {
            jdk.sort(values, from, to);
        }
    }

    /// Sorts `values[from..to)` in signed order, which takes [#sortsLongs].
    void sort(long[] values, int from, int to) {
        if (to - from < LEAST_COUNT) {
            Arrays.sort(values, from, to);
        } else {
            kernels.sort(values, from, to);
        }
    }
}
