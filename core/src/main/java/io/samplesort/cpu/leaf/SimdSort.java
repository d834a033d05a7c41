package io.samplesort.cpu.leaf;

import java.util.Arrays;

/// A sort by SIMD instructions: the kernels of this engine or, if the processor lacks the instructions for them, the
/// sort of ints that is part of the JDK.
final class SimdSort {
    /// With fewer elements a call costs more than it saves.
    private static final int LEAST_COUNT = 96;

    /// Null if the sort is the JDK's.
    private final Kernels kernels;
    /// Null if the sort is that of the kernels.
    private final JdkSort jdk;

    SimdSort(Kernels kernels) {
        this.kernels = kernels;
        this.jdk = null;
    }

    SimdSort(JdkSort jdk) {
        this.kernels = null;
        this.jdk = jdk;
    }

    /// Returns the kernels of this engine; null if the sort is the JDK's.
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

    /// Sorts `values[from..to)` in signed order, which is possible only if [#sortsLongs] is true.
    void sort(long[] values, int from, int to) {
        if (to - from < LEAST_COUNT) {
            Arrays.sort(values, from, to);
        } else {
            kernels.sort(values, from, to);
        }
    }
}
