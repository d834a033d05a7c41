package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// The splitters of one distribution pass as an implicit binary search tree in heap order: the root is `tree[1]`, the
/// children of `j` are `2j` and `2j + 1`. Bucket `b` takes the keys in `(splitter[b - 1], splitter[b]]`.
///
/// A key `v` that fills a bucket or more shows in the sample. Such a key gets both `v - 1` and `v` as splitters, so the
/// bucket between them holds that one key and needs no further sorting. This is an equality bucket, and it takes no
/// extra comparison.
///
/// [LongDescent] looks keys up without branches. `(t - x) >>> 63` is 1 exactly if `x > t`, as long as `t - x` does not
/// overflow:
/// - ints, widened, never do;
/// - longs whose splitters span less than 2^63 are clamped to that span and taken relative to its lower end;
/// - otherwise the root is -1, below which everything is negative and above which nothing is. (`-1 - x` cannot
///   overflow.)
public final class SplitterTree implements BucketFinder {
    final long[] tree;
    private final long[] splitters;
    private final boolean[] isEquality;
    boolean isAroundZero;
    int levels;
    private int bucketCount;
    long low;
    long high;
    long base;

    public SplitterTree(int bucketLog) {
        int limit = 1 << bucketLog;
        tree = new long[limit];
        splitters = new long[limit - 1];
        isEquality = new boolean[limit];
    }

    @Override
    public int bucketCount() {
        return bucketCount;
    }

    @Override
    public long keyOf(int b) {
        return splitters[b];
    }

    /// Returns the last key of bucket `b`, which is not the last bucket.
    long splitter(int b) {
        return splitters[b];
    }

    @Override
    public boolean isEqualityBucket(int b) {
        return isEquality[b];
    }

    /// Takes splitters from the sample at equal distances.
    ///
    /// @param sample sorted
    /// @param count  how many keys it has, at least 1
    /// @param unit   the distance of neighbouring keys, a power of two: elements that differ by less have equal keys
    /// @param isInt  whether all keys fit an int
    /// @param limit  the most splitters there may be, one less than a power of two
    public void build(long[] sample, int count, long unit, boolean isInt, int limit) {
        long least = sample[0] | (unit - 1);
        long greatest = sample[count - 1] | (unit - 1);
        boolean isNarrow = isInt || greatest - least >= 0 && greatest - least < Long.MAX_VALUE - unit;
        isAroundZero = !isNarrow;
        if (isNarrow) {
            int picked = pick(sample, 0, count, 0, limit, unit, Long.MIN_VALUE);
            setLevels(picked);
            pad(picked, bucketCount - 1, splitters[picked - 1]);
            long last = splitters[picked - 1];
            base = isInt ? 0 : splitters[0];
            low = isInt ? Long.MIN_VALUE : splitters[0];
            high = isInt || last == Long.MAX_VALUE ? Long.MAX_VALUE : last + 1;
        } else {
            buildAroundZero(sample, count, unit, limit);
        }
        int size = bucketCount - 1;
        for (int b = 1; b < size; b++) {
            isEquality[b] = splitters[b] - splitters[b - 1] == unit;
        }
        isEquality[0] = splitters[0] == Long.MIN_VALUE + (unit - 1);
        isEquality[size] = false;
        layOut(1, 0, size);
    }

    private void buildAroundZero(long[] sample, int count, long unit, int limit) {
        int negatives = 0;
        while (negatives < count && sample[negatives] < 0) {
            negatives++;
        }
        int root = limit / 2;
        int below = pick(sample, 0, negatives, 0, root, unit, Long.MIN_VALUE);
        int above = pick(sample, negatives, count, root + 1, limit, unit, 0);
        setLevels(2 * Math.max(below, above) + 1);
        int half = bucketCount / 2 - 1;
        pad(below, half, below == 0 ? -1 : splitters[below - 1]);
        splitters[half] = -1;
        System.arraycopy(splitters, root + 1, splitters, half + 1, above);
        pad(half + 1 + above, bucketCount - 1, above == 0 ? Long.MAX_VALUE : splitters[half + above]);
        base = 0;
        low = Long.MIN_VALUE;
        high = Long.MAX_VALUE;
    }

    private void setLevels(int splitterCount) {
        levels = Math.max(1, 32 - Integer.numberOfLeadingZeros(splitterCount));
        bucketCount = 1 << levels;
    }

    /// Buckets between equal splitters stay empty.
    private void pad(int from, int to, long splitter) {
        Arrays.fill(splitters, from, to, splitter);
    }

    /// Picks splitters from `sample[from..to)`, which has no key below `floor`. No splitter is below it either.
    ///
    /// @return how many splitters were written from `splitters[first]` on; all are different and less than `end`
    private int pick(long[] sample, int from, int to, int first, int end, long unit, long floor) {
        if (from == to) {
            return 0;
        }
        int next = first;
        int wanted = end - first;
        for (int i = 1; i <= wanted; i++) {
            long key = sample[from + (int) ((long) i * (to - from) / (wanted + 1))] | (unit - 1);
            if (next == first || splitters[next - 1] != key) {
                splitters[next++] = key;
            } else if (key - unit < key
                    && key - unit >= floor
                    && (next - first < 2 || splitters[next - 2] != key - unit)) {
                splitters[next - 1] = key - unit;
                splitters[next++] = key;
            }
        }
        return next - first;
    }

    private void layOut(int node, int from, int to) {
        if (from < to) {
            int middle = (from + to) >>> 1;
            tree[node] = splitters[middle] - base;
            layOut(2 * node, from, middle);
            layOut(2 * node + 1, middle + 1, to);
        }
    }

    @Override
    public void findBuckets(long[] keys, int count, short[] buckets, int[] nodes) {
        LongDescent.findBuckets(this, keys, count, buckets, nodes);
    }

    @Override
    public void findBuckets(int[] keys, int count, short[] buckets, int[] nodes) {
        IntDescent.findBuckets(this, keys, count, buckets, nodes);
    }
}
