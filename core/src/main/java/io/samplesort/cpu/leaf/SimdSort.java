package io.samplesort.cpu.leaf;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/// The SIMD sort of this process: the kernels of this engine, or where the processor lacks the instructions for them,
/// the sort of ints that is part of the JDK.
final class SimdSort {
    /// For fewer elements a call costs more than it saves.
    private static final int LEAST_COUNT = 96;

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
        return isAllowed() ? Loading.begun() : null;
    }

    /// Returns what [#find] will return when the sort is loaded.
    static SimdSort awaitLoaded() {
        return isAllowed() ? Loading.SORT.join() : null;
    }

    /// Returns whether this process may call native functions. Otherwise the virtual machine would print a warning, or
    /// throw, when they are linked.
    static boolean isAllowed() {
        return SimdSort.class.getModule().isNativeAccessEnabled();
    }

    /// Loads the sort once, when it is first asked for.
    private static final class Loading {
        private static final CompletableFuture<SimdSort> SORT = start();

        private static CompletableFuture<SimdSort> start() {
            CompletableFuture<SimdSort> sort = new CompletableFuture<>();
            Thread thread = new Thread(null, new Load(sort), "samplesort-load", 0, false);
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (OutOfMemoryError e) {
                // The system refuses another thread, so sorts go on without.
                sort.complete(null);
            }
            return sort;
        }

        static SimdSort begun() {
            return SORT.getNow(null);
        }
    }

    private record Load(CompletableFuture<SimdSort> sort) implements Runnable {
        @Override
        public void run() {
            try {
                sort.complete(SimdLibrary.load());
            } finally {
                // After an error sorts go on without. Nothing happens if the future is complete.
                sort.complete(null);
            }
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
