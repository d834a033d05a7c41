package io.samplesort.cpu.leaf;

import java.util.Arrays;

/// Sorts numbers in the caches of one core. Every sort of the CPU engine ends here: distribution passes divide the
/// input until a bucket is small enough.
public abstract sealed class LeafSort permits LeafSort.OfArrays, SimdSort {
    private static final LeafSort OF_ARRAYS = new OfArrays();

    LeafSort() {}

    /// Returns the fastest one that this process may use now. Ask again for each sort: the SIMD sort takes some 70 ms
    /// to
    /// load, which a thread of its own does while the first sorts use the other one.
    public static LeafSort best() {
        LeafSort simd = SimdSort.find();
        return simd == null ? OF_ARRAYS : simd;
    }

    /// Returns the fastest one that this process may use, and waits until it is loaded.
    static LeafSort awaitBest() throws InterruptedException {
        SimdSort.awaitLoading();
        return best();
    }

    /// Returns the one that is made of the JDK's public methods, and works everywhere.
    public static LeafSort ofArrays() {
        return OF_ARRAYS;
    }

    /// Sorts `values[from..to)` in signed order. It is fastest if they span less than 2^62.
    public abstract void sort(long[] values, int from, int to);

    /// Sorts `values[from..to)` in signed order.
    public abstract void sort(int[] values, int from, int to);

    /// Sorts `values[from..to)` if it can do so faster than by their bits in another array.
    ///
    /// @return whether they are sorted; otherwise nothing has moved
    public abstract boolean trySort(double[] values, int from, int to);

    /// Sorts with [Arrays].
    static final class OfArrays extends LeafSort {
        private OfArrays() {}

        @Override
        public void sort(long[] values, int from, int to) {
            Arrays.sort(values, from, to);
        }

        @Override
        public void sort(int[] values, int from, int to) {
            Arrays.sort(values, from, to);
        }

        @Override
        public boolean trySort(double[] values, int from, int to) {
            return false;
        }
    }
}
