package io.samplesort.gpu.exchange;

/// A sample of a sorted part, for GPUs that do not reach it: a key of each of `count` strata of almost equal sizes
/// (`Strata` in sample.cuh). Of two neighbouring keys nothing is known but the strata that they lie in.
///
/// @param address  device address of the keys
/// @param count    how many there are; 0 for a part that is smaller than a stratum
/// @param elements how many elements the part has
record PartSample(long address, long count, long elements) {
    /// About so many strata are left to search around a place. A stratum is so large that these have about as many
    /// elements as the samples have keys, so that as little as can be is copied.
    private static final double SEARCHED = 16;

    /// Returns how many keys of a part are sampled.
    ///
    /// @param all the elements of all parts
    static long count(long elements, long all) {
        return elements / Math.max(1, (long) Math.sqrt(all / SEARCHED));
    }

    /// Returns how many elements of the part are before the sampled key of this index at least, and before or equal to
    /// the one before it.
    long leastBefore(long index) {
        return begin(index - 1);
    }

    /// Returns how many elements of the part are before that key at most.
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
