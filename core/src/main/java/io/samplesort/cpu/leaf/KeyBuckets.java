package io.samplesort.cpu.leaf;

import io.samplesort.cpu.leaf.Kernels.Operation;
import java.lang.foreign.MemorySegment;

/// Buckets among which keys are divided: the kernels divide shares of the keys in place, and collect the parts of each
/// bucket in a copy.
public final class KeyBuckets {
    private static final int NUMBER_SHIFT = 16;

    private static final long DESCENDING = 1L << 48;

    private final SimdKeys keys;
    private final MemorySegment copy;
    private final int count;
    private final int shares;
    private final long order;
    /// The splitters, and where the parts of each share begin.
    private final long[] table;

    KeyBuckets(SimdKeys keys, MemorySegment copy, int count, int shares, boolean descending) {
        this.keys = keys;
        this.copy = copy;
        this.count = count;
        this.shares = shares;
        this.order = descending ? DESCENDING : 0;
        this.table = new long[count - 1 + shares * (count + 1)];
    }

    public int count() {
        return count;
    }

    private long call(Operation operation, long from, long to, long number) {
        return keys.callOnBuckets(operation, copy, table, from, to, order | number << NUMBER_SHIFT | count);
    }

    /// Chooses splitters by a sample of the keys `from..to`. The first buckets are the largest.
    ///
    /// @param sampled how many keys are sampled, at most 4096
    /// @return how many distinct splitters there are
    public int chooseSplitters(long from, long to, int sampled) {
        return (int) call(Operation.CHOOSE_SPLITTERS, from, to, sampled);
    }

    /// Returns the key before which no key of a bucket belongs. The bucket must not be the first.
    public long splitterBefore(int bucket) {
        return table[bucket - 1];
    }

    /// Divides the share with this number, which is the keys `from..to`.
    public void divide(int share, long from, long to) {
        call(Operation.DIVIDE, from, to, share);
    }

    /// Collects a bucket in the copy, when all shares are divided.
    ///
    /// @return how many keys lie in the buckets before it
    public long collect(int bucket) {
        return call(Operation.COLLECT, bucket, bucket + 1L, shares);
    }

    /// Moves the keys `from..to` back from the copy, when all buckets are collected.
    ///
    /// @param copyFrom the index of the key that the copy begins with
    public void putBack(long from, long to, long copyFrom) {
        keys.callOnBuckets(Operation.PUT_BACK, copy, table, from, to, copyFrom);
    }
}
