package io.samplesort.gpu.exchange;

/// A sample of a sorted part, for GPUs that do not reach it: one key from each of `count` strata of almost equal sizes
/// (`Strata` in sample.cuh). Of a sampled key, only the stratum in which it lies is known.
///
/// @param address  device address of the keys
/// @param count    how many there are; 0 for a part that is smaller than a stratum
/// @param elements how many elements the part has
record PartSample(long address, long count, long elements) {
    /// About this many strata around a place are left to search. The size of a stratum is such that these strata have
    /// about as many elements as the samples have keys, so that as little as possible is copied.
    private static final double SEARCHED = 16;

    /// Returns how many keys of a part are sampled.
    ///
    /// @param all the elements of all parts
    static long count(long elements, long all) {
        return elements / Math.max(1, (long) Math.sqrt(all / SEARCHED));
    }

    /// Returns the least number of elements of the part before the sampled key of this index, which are also before or
    /// equal to the sampled key before it.
    long leastBefore(long index) {
        return begin(index - 1);
    }

    /// Returns the largest number of elements of the part before that key.
    long mostBefore(long index) {
        return begin(index + 1);
    }

    private long begin(long stratum) {
        if (stratum <= 0) {
            return 0;
        }
        if (stratum >= count) {
            return elements;
        }
        long part = (elements % count << Integer.SIZE) / count;
        return stratum * (elements / count) + (stratum * part >>> Integer.SIZE);
    }
}
