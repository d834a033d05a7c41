package io.samplesort.cpu.leaf;

import java.io.IOException;

/// An array of ints, longs or doubles that SIMD functions can sort and partition where it lies, in ranges of
/// any size. Several threads may work on different ranges.
///
/// Doubles are sorted and partitioned by their bits, as signed longs. When all are sorted, [#swapMirrored] and
/// [#moveNegativeNans] bring them into order.
public final class SimdArray {
    /// The most numbers to be sorted by one call of a SIMD function. Garbage cannot be collected during a call, which
    /// takes 3 ms for so many longs on an AMD EPYC (Zen 5).
    public static final int CALL_LIMIT = 1 << 20;

    /// In a shorter range nobody looks for keys that repeat.
    private static final int LEAST_SAMPLED = 1 << 12;

    private final SimdSort simd;
    private final int[] ints;
    private final long[] longs;
    private final double[] doubles;

    SimdArray(SimdSort simd, int[] ints, long[] longs, double[] doubles) {
        this.simd = simd;
        this.ints = ints;
        this.longs = longs;
        this.doubles = doubles;
    }

    /// Returns by how many threads it is faster to partition and sort an array than to distribute its elements among
    /// many buckets; 0 if the functions may not be called here. One thread partitions first, and the others have
    /// nothing to do meanwhile. This does not wait until the functions are loaded.
    public static int threadLimit() {
        return Limit.THREADS;
    }

    private static final class Limit {
        static final int THREADS = find();

        private static int find() {
            try {
                SimdLibrary.Processor processor = SimdSort.isAllowed() ? SimdLibrary.processor() : null;
                if (processor == null || !processor.runsKernels()) {
                    return 0;
                }
                return processor.isAmd() ? 3 : 1;
            } catch (IOException e) {
                return 0;
            }
        }
    }

    /// Returns `array` as one that SIMD functions sort; null if it has other elements, or these functions may not be
    /// called here. It waits until they are loaded.
    public static SimdArray of(Object array) {
        SimdSort simd = SimdSort.awaitLoaded();
        if (simd == null || !simd.sortsLongs()) {
            return null;
        }
        if (array instanceof int[] ints) {
            return new SimdArray(simd, ints, null, null);
        }
        if (array instanceof long[] longs) {
            return new SimdArray(simd, null, longs, null);
        }
        return array instanceof double[] doubles ? new SimdArray(simd, null, null, doubles) : null;
    }

    /// Sorts the elements `from..to`, by one call where their keys are about equally frequent. Otherwise it partitions
    /// the range first: the JDK's sort takes up to five times as long where some keys occur far more often than those
    /// around them. The kernels of this engine do not.
    public void sort(int from, int to) {
        if (simd.sortsLongs()) {
            sortByCall(from, to);
            return;
        }
        sort(from, to, 2 * (Integer.SIZE - Integer.numberOfLeadingZeros((to - from) / LEAST_SAMPLED)));
    }

    /// @param depth after so many partitions the rest is left to one call, which takes n log n steps at worst
    private void sort(int from, int to, int depth) {
        KeySample sample = to - from < LEAST_SAMPLED || depth == 0 ? null : KeySample.draw(this::key, from, to);
        if (sample == null || !sample.isUneven()) {
            sortByCall(from, to);
            return;
        }
        Parts parts = partition(from, to, sample);
        sort(from, parts.firstEnd, depth - 1);
        if (!parts.isUniform) {
            sort(parts.firstEnd, parts.lastStart, depth - 1);
        }
        sort(parts.lastStart, to, depth - 1);
    }

    private void sortByCall(int from, int to) {
        if (ints != null) {
            simd.sort(ints, from, to);
        } else if (longs != null) {
            simd.sort(longs, from, to);
        } else {
            simd.sort(doubles, from, to);
        }
    }

    /// Partitions the elements `from..to`, at least three, in three: no element is greater than one of the next part.
    public Parts partition(int from, int to) {
        return partition(from, to, KeySample.draw(this::key, from, to));
    }

    /// The pivots are the thirds of the sample, or a key that is frequent there, which is done then.
    private Parts partition(int from, int to, KeySample sample) {
        int frequent = sample.frequentPlace();
        if (frequent >= 0) {
            return parts(from, to, frequent, frequent);
        }
        int first = KeySample.SIZE / 3;
        int second = 2 * KeySample.SIZE / 3;
        boolean isUniform = sample.keys()[first] == sample.keys()[second];
        return parts(from, to, sample.places()[first], sample.places()[isUniform ? first : second]);
    }

    private Parts parts(int from, int to, int first, int second) {
        long bounds = partition(from, to, first, second);
        return new Parts((int) bounds, (int) (bounds >>> Integer.SIZE), first == second);
    }

    /// Returns where the negative doubles end among the elements `from..to`, which are sorted by their bits; `from` if
    /// the elements are no doubles.
    public int negativeEnd(int from, int to) {
        return doubles == null ? from : DoubleOrder.negativeEnd(doubles, from, to);
    }

    /// Reverses the negative doubles `from..to` as far as the elements `from + start..from + end` go, which are in the
    /// first half: swaps each with the one that is as far from the other end.
    public void swapMirrored(int from, int to, int start, int end) {
        DoubleOrder.swapMirrored(doubles, from, to, start, end);
    }

    /// Moves NaNs with a sign bit behind all other elements `from..to`. They come first, if there are any.
    public void moveNegativeNans(int from, int to) {
        if (doubles != null) {
            DoubleOrder.moveNegativeNans(doubles, from, to);
        }
    }

    /// Three parts of a range.
    ///
    /// @param firstEnd  where the first part ends and the second begins
    /// @param lastStart where the second part ends and the last begins
    /// @param isUniform whether all elements of the second part are equal
    public record Parts(int firstEnd, int lastStart, boolean isUniform) {}

    private long key(int i) {
        if (ints != null) {
            return ints[i];
        }
        return longs != null ? longs[i] : Double.doubleToRawLongBits(doubles[i]);
    }

    private long partition(int from, int to, int first, int second) {
        if (ints != null) {
            return simd.partition(ints, from, to, first, second);
        }
        return longs != null
                ? simd.partition(longs, from, to, first, second)
                : simd.partition(doubles, from, to, first, second);
    }
}
