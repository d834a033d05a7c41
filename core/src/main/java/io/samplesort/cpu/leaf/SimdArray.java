package io.samplesort.cpu.leaf;

import java.io.IOException;
import java.util.SplittableRandom;

/// An array of ints, longs or doubles that the JDK's AVX-512 functions can sort and partition where it lies, in ranges
/// of any size. Several threads may work on different ranges.
public final class SimdArray {
    /// The most numbers to be sorted by one call of a SIMD function. Garbage cannot be collected during a call, which
    /// takes 5 ms for so many longs on an AMD EPYC (Zen 5). Four times as many would save 2 % of the time.
    private static final int CALL_LIMIT = 1 << 20;

    /// So many doubles are sorted by one call. They are looked at first, and fit the second cache.
    private static final int DOUBLE_CALL_LIMIT = 1 << 18;

    /// Pivots are the thirds of so many elements drawn at random.
    private static final int SAMPLE_SIZE = 63;

    /// A key that occurs so often in such a sample is frequent.
    private static final int LEAST_FREQUENT = 8;

    /// An input has few keys if so many elements drawn at random have at most [#FEW_KEYS].
    private static final int COUNTED_SAMPLE_SIZE = 512;

    private static final int FEW_KEYS = 32;

    private final SimdSort simd;
    private final int[] ints;
    private final long[] longs;
    private final double[] doubles;

    private SimdArray(SimdSort simd, int[] ints, long[] longs, double[] doubles) {
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
                if (processor == null || !processor.hasFastAvx512()) {
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

    /// Returns the most elements to be sorted by one call.
    public int callLimit() {
        return doubles == null ? CALL_LIMIT : DOUBLE_CALL_LIMIT;
    }

    /// Returns whether the elements `from..to` can be left to the functions: all but NaNs and negative zeros can.
    public boolean isOrdinary(int from, int to) {
        return doubles == null || SimdSort.isOrdinary(doubles, from, to);
    }

    /// Returns whether the elements `from..to`, at least one, probably have so few keys that counting them is faster.
    public boolean hasFewKeys(int from, int to) {
        long[] keys = new SplittableRandom(31L * from + to)
                .ints(COUNTED_SAMPLE_SIZE, from, to)
                .mapToLong(this::key)
                .sorted()
                .toArray();
        int distinct = 1;
        for (int i = 1; i < keys.length; i++) {
            distinct += keys[i] == keys[i - 1] ? 0 : 1;
        }
        return distinct <= FEW_KEYS;
    }

    /// Sorts the elements `from..to`, which are [#isOrdinary].
    public void sort(int from, int to) {
        if (ints != null) {
            simd.sort(ints, from, to);
        } else if (longs != null) {
            simd.sort(longs, from, to);
        } else {
            simd.sort(doubles, from, to);
        }
    }

    /// Partitions the elements `from..to`, at least three, in three: no element is greater than one of the next part.
    /// With doubles that are not all [#isOrdinary] that holds for the others alone.
    ///
    /// @return the parts; null if nothing has moved, because the drawn pivots are not [#isOrdinary]
    public Parts partition(int from, int to) {
        Sample sample = drawSample(from, to);
        int first = sample.places[SAMPLE_SIZE / 3];
        int second = sample.places[2 * SAMPLE_SIZE / 3];
        boolean isUniform = sample.keys[SAMPLE_SIZE / 3] == sample.keys[2 * SAMPLE_SIZE / 3];
        if (!isOrdinary(first, first + 1) || !isOrdinary(second, second + 1)) {
            return null;
        }
        return parts(from, to, first, isUniform ? first : second, isUniform);
    }

    /// Partitions the elements `from..to`, at least three and all [#isOrdinary], around the key that is probably the
    /// most frequent one, if it is so frequent that the SIMD sort would be slow.
    ///
    /// @return the parts, of which the second has all elements with that key; null if nothing has moved, as there is no
    ///     such key
    public Parts splitByFrequentKey(int from, int to) {
        Sample sample = drawSample(from, to);
        int most = 0;
        int last = 0;
        int run = 0;
        for (int i = 0; i < SAMPLE_SIZE; i++) {
            run = i > 0 && sample.keys[i] == sample.keys[i - 1] ? run + 1 : 1;
            if (run > most) {
                most = run;
                last = i;
            }
        }
        int place = sample.places[last];
        return most < LEAST_FREQUENT ? null : parts(from, to, place, place, true);
    }

    private Parts parts(int from, int to, int first, int second, boolean isUniform) {
        long bounds = partition(from, to, first, second);
        return new Parts((int) bounds, (int) (bounds >>> Integer.SIZE), isUniform);
    }

    /// Elements drawn at random, sorted.
    ///
    /// @param keys   their keys
    /// @param places where they lie
    private record Sample(long[] keys, int[] places) {}

    /// Draws elements from `from..to` without the first and the last, which cannot be pivots.
    private Sample drawSample(int from, int to) {
        SplittableRandom random = new SplittableRandom(31L * from + to);
        long[] keys = new long[SAMPLE_SIZE];
        int[] places = new int[SAMPLE_SIZE];
        for (int i = 0; i < SAMPLE_SIZE; i++) {
            int place = random.nextInt(from + 1, to - 1);
            long key = key(place);
            int at = i;
            for (; at > 0 && keys[at - 1] > key; at--) {
                keys[at] = keys[at - 1];
                places[at] = places[at - 1];
            }
            keys[at] = key;
            places[at] = place;
        }
        return new Sample(keys, places);
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
        if (longs != null) {
            return longs[i];
        }
        long bits = Double.doubleToRawLongBits(doubles[i]);
        return bits ^ ((bits >> 63) >>> 1);
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
