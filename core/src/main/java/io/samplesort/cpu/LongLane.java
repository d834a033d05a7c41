package io.samplesort.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Values of 64 bits.
final class LongLane extends Lane {
    private static final ValueLayout.OfLong DECODED = ValueLayout.JAVA_LONG;

    private static final int RUN = 16;

    private long[] values = new long[0];
    private long[] spare = new long[0];
    private long[] tree = new long[0];
    private boolean[] equalityBuckets = new boolean[0];
    private boolean hasEqualityBuckets;
    private int treeBuckets;

    LongLane(Column column) {
        super(column);
    }

    @Override
    void ensureCapacity(int count) {
        if (values.length < count) {
            values = new long[count];
            spare = new long[count];
        }
    }

    @Override
    void load(MemorySegment from, long index, int count, boolean encoded) {
        if (!encoded) {
            MemorySegment.copy(from, DECODED, index * Long.BYTES, values, 0, count);
            return;
        }
        MemorySegment.copy(from, DECODED, index * Long.BYTES, values, 0, count);
        if (!column.codec().isIdentity()) {
            column.codec().decode(values, count);
        }
    }

    @Override
    void loadOne(MemorySegment from, long index, int at, boolean encoded) {
        long kept = values[0];
        load(from, index, 1, encoded);
        values[at] = values[0];
        if (at != 0) {
            values[0] = kept;
        }
    }

    @Override
    void store(MemorySegment to, long index, int at, int count, boolean encoded) {
        if (!encoded) {
            MemorySegment.copy(values, at, to, DECODED, index * Long.BYTES, count);
            return;
        }
        if (!column.codec().isIdentity()) {
            column.codec().encode(values, at, at + count);
        }
        MemorySegment.copy(values, at, to, DECODED, index * Long.BYTES, count);
    }

    @Override
    void buildTree(int sampleCount, int bucketCount) {
        treeBuckets = bucketCount;
        tree = new long[bucketCount];
        equalityBuckets = new boolean[bucketCount];
        hasEqualityBuckets = false;
        for (int i = 0; i + 1 < bucketCount; i++) {
            tree[node(i)] = splitter(i, sampleCount);
            if (i > 0 && splitter(i - 1, sampleCount) == splitter(i, sampleCount)) {
                equalityBuckets[i] = true;
                hasEqualityBuckets = true;
            }
        }
    }

    /// Not a multiple of a rounded distance: the remainder would all fall into the last bucket.
    private long splitter(int index, int sampleCount) {
        return values[(int) ((long) (index + 1) * sampleCount / treeBuckets)];
    }

    private int node(int splitter) {
        return (treeBuckets + splitter + 1) >> (Integer.numberOfTrailingZeros(splitter + 1) + 1);
    }

    @Override
    boolean isEqualityBucket(int bucket) {
        return equalityBuckets[bucket];
    }

    @Override
    void fillFromEqualityBucket(Lane trees, int bucket, int count) {
        LongLane lane = (LongLane) trees;
        Arrays.fill(values, 0, count, lane.tree[lane.node(bucket)]);
    }

    @Override
    void findBuckets(Lane trees, int count, byte[] buckets, int[] counts) {
        LongLane lane = (LongLane) trees;
        long[] nodes = lane.tree;
        int bucketCount = lane.treeBuckets;
        int levels = Integer.numberOfTrailingZeros(bucketCount);
        long[] keys = values;
        int i = 0;
        // Four independent walks at a time hide the latency of the loads.
        for (; i + 3 < count; i += 4) {
            long a = keys[i];
            long b = keys[i + 1];
            long c = keys[i + 2];
            long d = keys[i + 3];
            int ja = 1;
            int jb = 1;
            int jc = 1;
            int jd = 1;
            for (int level = 0; level < levels; level++) {
                ja = 2 * ja + (nodes[ja] < a ? 1 : 0);
                jb = 2 * jb + (nodes[jb] < b ? 1 : 0);
                jc = 2 * jc + (nodes[jc] < c ? 1 : 0);
                jd = 2 * jd + (nodes[jd] < d ? 1 : 0);
            }
            buckets[i] = (byte) (ja - bucketCount);
            buckets[i + 1] = (byte) (jb - bucketCount);
            buckets[i + 2] = (byte) (jc - bucketCount);
            buckets[i + 3] = (byte) (jd - bucketCount);
        }
        for (; i < count; i++) {
            int j = 1;
            for (int level = 0; level < levels; level++) {
                j = 2 * j + (nodes[j] < keys[i] ? 1 : 0);
            }
            buckets[i] = (byte) (j - bucketCount);
        }
        if (lane.hasEqualityBuckets) {
            lane.moveToEqualityBuckets(keys, count, buckets);
        }
        for (i = 0; i < count; i++) {
            counts[buckets[i] & 0xff]++;
        }
    }

    /// Where splitters b and b + 1 are equal, bucket b + 1 is empty and takes the keys equal to splitter b.
    private void moveToEqualityBuckets(long[] keys, int count, byte[] buckets) {
        for (int i = 0; i < count; i++) {
            int bucket = buckets[i] & 0xff;
            if (bucket + 1 < treeBuckets && equalityBuckets[bucket + 1] && keys[i] == tree[node(bucket)]) {
                buckets[i] = (byte) (bucket + 1);
            }
        }
    }

    @Override
    void permute(int[] positions, int count) {
        for (int i = 0; i < count; i++) {
            spare[positions[i]] = values[i];
        }
        swap();
    }

    @Override
    void gather(int[] sources, int count) {
        for (int i = 0; i < count; i++) {
            spare[i] = values[sources[i]];
        }
        swap();
    }

    private void swap() {
        long[] other = values;
        values = spare;
        spare = other;
    }

    @Override
    void sort(int count) {
        Arrays.sort(values, 0, count);
    }

    @Override
    void sortWithIndex(int count, int[] sources) {
        for (int i = 0; i < count; i++) {
            sources[i] = i;
        }
        int[] spareSources = new int[count];
        for (int begin = 0; begin < count; begin += RUN) {
            insertionSort(sources, begin, Math.min(begin + RUN, count));
        }
        int[] from = sources;
        int[] to = spareSources;
        for (int width = RUN; width < count; width *= 2) {
            for (int begin = 0; begin < count; begin += 2 * width) {
                int middle = Math.min(begin + width, count);
                merge(from, to, begin, middle, Math.min(middle + width, count));
            }
            swap();
            int[] other = from;
            from = to;
            to = other;
        }
        if (from != sources) {
            System.arraycopy(from, 0, sources, 0, count);
        }
    }

    private void insertionSort(int[] sources, int begin, int end) {
        for (int i = begin + 1; i < end; i++) {
            long key = values[i];
            int source = sources[i];
            int j = i;
            for (; j > begin && key < values[j - 1]; j--) {
                values[j] = values[j - 1];
                sources[j] = sources[j - 1];
            }
            values[j] = key;
            sources[j] = source;
        }
    }

    private void merge(int[] from, int[] to, int begin, int middle, int end) {
        int a = begin;
        int b = middle;
        for (int i = begin; i < end; i++) {
            if (b >= end || (a < middle && values[a] <= values[b])) {
                spare[i] = values[a];
                to[i] = from[a++];
            } else {
                spare[i] = values[b];
                to[i] = from[b++];
            }
        }
    }

    @Override
    boolean isSorted(int count) {
        for (int i = 1; i < count; i++) {
            if (values[i] < values[i - 1]) {
                return false;
            }
        }
        return true;
    }
}
