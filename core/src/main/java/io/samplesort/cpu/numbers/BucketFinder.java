package io.samplesort.cpu.numbers;

/// Finds the buckets of many keys. Greater keys never belong to smaller buckets.
public sealed interface BucketFinder permits SplitterTree, NestedGrid {
    /// Returns how many buckets there are.
    int bucketCount();

    /// Returns whether all elements of bucket `b` have one key, so that it needs no further sorting.
    boolean isEqualityBucket(int b);

    /// Returns the one key of the equality bucket `b`.
    long keyOf(int b);

    /// Writes the bucket of each of `keys[0..count)` to `buckets`. All three arrays have room for the next multiple of
    /// 8.
    ///
    /// @param nodes room for intermediate results
    void findBuckets(long[] keys, int count, short[] buckets, int[] nodes);

    /// Writes the bucket of each of `keys[0..count)` to `buckets`, as for longs.
    void findBuckets(int[] keys, int count, short[] buckets, int[] nodes);
}
