package io.samplesort.cpu;

import java.lang.foreign.MemorySegment;

/// A worker's heap buffers for one column: values are loaded from memory of any kind, decoded, worked on, and stored.
/// All
/// that depends on the width of a key is here; the twins of the CUDA files are [#findBuckets] (splitter_tree.cuh),
/// [#sort] and [#sortWithIndex] (small_sort.cuh).
abstract sealed class Lane permits IntLane, LongLane {
    final Column column;

    Lane(Column column) {
        this.column = column;
    }

    /// Loads values `index` … `index + count - 1` of `from` to the places from 0 on.
    ///
    /// @param encoded whether `from` is the user's memory
    abstract void load(MemorySegment from, long index, int count, boolean encoded);

    /// Loads one value to the place `at`.
    abstract void loadOne(MemorySegment from, long index, int at, boolean encoded);

    /// Stores the places `at` … `at + count - 1` to `to`. What is encoded is not to be used again.
    abstract void store(MemorySegment to, long index, int at, int count, boolean encoded);

    abstract void ensureCapacity(int count);

    /// Makes a splitter tree of `bucketCount` buckets from the sorted sample in the places from 0 on.
    abstract void buildTree(int sampleCount, int bucketCount);

    /// Whether bucket `bucket` of the tree holds one repeated key.
    abstract boolean isEqualityBucket(int bucket);

    /// Puts the key of an equality bucket in the places from 0 to `count - 1`.
    abstract void fillFromEqualityBucket(Lane trees, int bucket, int count);

    /// Looks up the bucket of each value by the tree of `trees`, and counts them.
    abstract void findBuckets(Lane trees, int count, byte[] buckets, int[] counts);

    /// Moves value i to the place `positions[i]`.
    abstract void permute(int[] positions, int count);

    /// Makes place i hold what place `sources[i]` held.
    abstract void gather(int[] sources, int count);

    abstract void sort(int count);

    /// Sorts, and tells for each place which one the value came from.
    abstract void sortWithIndex(int count, int[] sources);

    abstract boolean isSorted(int count);
}
