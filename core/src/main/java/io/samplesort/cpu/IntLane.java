package io.samplesort.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Values of 32 bits, and narrower ones widened to 32. Line by line the twin of [LongLane]: Java has no type parameter
/// for
/// primitives that the compiler would specialise.
final class IntLane extends Lane {
    private static final ValueLayout.OfInt DECODED = ValueLayout.JAVA_INT;

    private int[] values = new int[0];
    private int[] spare = new int[0];
    private int[] tree = new int[0];
    private boolean[] equalityBuckets = new boolean[0];
    private boolean hasEqualityBuckets;
    private int treeBuckets;

    IntLane(Column column) {
        super(column);
    }

    @Override
    void ensureCapacity(int count) {
        if (values.length < count) {
            values = new int[count];
            spare = new int[count];
        }
    }

    @Override
    void load(MemorySegment from, long index, int count, boolean encoded) {
        if (!encoded) {
            MemorySegment.copy(from, DECODED, index * Integer.BYTES, values, 0, count);
            return;
        }
        switch (column.type().byteSize()) {
            case Byte.BYTES -> {
                int mask = column.zeroExtends() ? 0xff : -1;
                for (int i = 0; i < count; i++) {
                    values[i] = from.get(ValueLayout.JAVA_BYTE, index + i) & mask;
                }
            }
            case Short.BYTES -> {
                int mask = column.zeroExtends() ? 0xffff : -1;
                for (int i = 0; i < count; i++) {
                    values[i] = from.getAtIndex(ValueLayout.JAVA_SHORT, index + i) & mask;
                }
            }
            default -> MemorySegment.copy(from, DECODED, index * Integer.BYTES, values, 0, count);
        }
        if (!column.codec().isIdentity()) {
            column.codec().decode(values, count);
        }
    }

    @Override
    void loadOne(MemorySegment from, long index, int at, boolean encoded) {
        int kept = values[0];
        load(from, index, 1, encoded);
        values[at] = values[0];
        if (at != 0) {
            values[0] = kept;
        }
    }

    @Override
    void store(MemorySegment to, long index, int at, int count, boolean encoded) {
        if (!encoded) {
            MemorySegment.copy(values, at, to, DECODED, index * Integer.BYTES, count);
            return;
        }
        if (!column.codec().isIdentity()) {
            column.codec().encode(values, at, at + count);
        }
        switch (column.type().byteSize()) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to.set(ValueLayout.JAVA_BYTE, index + i, (byte) values[at + i]);
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(ValueLayout.JAVA_SHORT, index + i, (short) values[at + i]);
                }
            }
            default -> MemorySegment.copy(values, at, to, DECODED, index * Integer.BYTES, count);
        }
    }

    @Override
    void buildTree(int sampleCount, int bucketCount) {
        treeBuckets = bucketCount;
        tree = new int[bucketCount];
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
    private int splitter(int index, int sampleCount) {
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
        IntLane lane = (IntLane) trees;
        Arrays.fill(values, 0, count, lane.tree[lane.node(bucket)]);
    }

    @Override
    void findBuckets(Lane trees, int count, byte[] buckets, int[] counts) {
        IntLane lane = (IntLane) trees;
        int[] nodes = lane.tree;
        int bucketCount = lane.treeBuckets;
        int levels = Integer.numberOfTrailingZeros(bucketCount);
        int[] keys = values;
        int i = 0;
        // Four independent walks at a time hide the latency of the loads.
        for (; i + 3 < count; i += 4) {
            int a = keys[i];
            int b = keys[i + 1];
            int c = keys[i + 2];
            int d = keys[i + 3];
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
    private void moveToEqualityBuckets(int[] keys, int count, byte[] buckets) {
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
        int[] other = values;
        values = spare;
        spare = other;
    }

    @Override
    void sort(int count) {
        Arrays.sort(values, 0, count);
    }

    @Override
    void sortWithIndex(int count, int[] sources) {
        // Key and index fit one long, which the JDK sorts with SIMD instructions.
        long[] pairs = new long[count];
        for (int i = 0; i < count; i++) {
            pairs[i] = ((long) values[i] << Integer.SIZE) | i;
        }
        Arrays.sort(pairs);
        for (int i = 0; i < count; i++) {
            values[i] = (int) (pairs[i] >> Integer.SIZE);
            sources[i] = (int) pairs[i];
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
