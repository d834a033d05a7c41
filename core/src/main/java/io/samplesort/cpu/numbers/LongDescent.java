package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// Looks up the buckets of longs in a [SplitterTree], eight at a time.
final class LongDescent {
    private LongDescent() {}

    /// Does what [BucketFinder#findBuckets(long[], int, short[], int[])] says.
    static void findBuckets(SplitterTree splitters, long[] keys, int count, short[] buckets, int[] nodes) {
        var t = splitters.tree;
        long low = splitters.low;
        long high = splitters.high;
        long base = splitters.base;
        int k = splitters.bucketCount();
        int size = (count + 7) & -8;
        int last = splitters.levels;
        int first = last < 3 ? 0 : 3;
        if (first == 0) {
            Arrays.fill(nodes, 0, size, 1);
            // only longs
        } else if (splitters.isAroundZero) {
            enterThirdLevelAroundZero(t, keys, size, nodes);
            // ints too
        } else {
            enterThirdLevel(splitters, keys, size, nodes);
        }
        for (int i = 0; i < count; i += 8) {
            long x0 = relative(keys[i], low, high, base); // int: long x0 = keys[i];
            long x1 = relative(keys[i + 1], low, high, base); // int: long x1 = keys[i + 1];
            long x2 = relative(keys[i + 2], low, high, base); // int: long x2 = keys[i + 2];
            long x3 = relative(keys[i + 3], low, high, base); // int: long x3 = keys[i + 3];
            long x4 = relative(keys[i + 4], low, high, base); // int: long x4 = keys[i + 4];
            long x5 = relative(keys[i + 5], low, high, base); // int: long x5 = keys[i + 5];
            long x6 = relative(keys[i + 6], low, high, base); // int: long x6 = keys[i + 6];
            long x7 = relative(keys[i + 7], low, high, base); // int: long x7 = keys[i + 7];
            int j0 = nodes[i];
            int j1 = nodes[i + 1];
            int j2 = nodes[i + 2];
            int j3 = nodes[i + 3];
            int j4 = nodes[i + 4];
            int j5 = nodes[i + 5];
            int j6 = nodes[i + 6];
            int j7 = nodes[i + 7];
            for (int level = first; level < last; level++) {
                j0 = 2 * j0 + (int) ((t[j0] - x0) >>> 63);
                j1 = 2 * j1 + (int) ((t[j1] - x1) >>> 63);
                j2 = 2 * j2 + (int) ((t[j2] - x2) >>> 63);
                j3 = 2 * j3 + (int) ((t[j3] - x3) >>> 63);
                j4 = 2 * j4 + (int) ((t[j4] - x4) >>> 63);
                j5 = 2 * j5 + (int) ((t[j5] - x5) >>> 63);
                j6 = 2 * j6 + (int) ((t[j6] - x6) >>> 63);
                j7 = 2 * j7 + (int) ((t[j7] - x7) >>> 63);
            }
            buckets[i] = (short) (j0 - k);
            buckets[i + 1] = (short) (j1 - k);
            buckets[i + 2] = (short) (j2 - k);
            buckets[i + 3] = (short) (j3 - k);
            buckets[i + 4] = (short) (j4 - k);
            buckets[i + 5] = (short) (j5 - k);
            buckets[i + 6] = (short) (j6 - k);
            buckets[i + 7] = (short) (j7 - k);
        }
    }

    /// Finds each key's node of the third level, which is the number of splitters above that are less than the key.
    /// Counting all seven takes fewer instructions than walking three levels, since the JIT compiler makes it SIMD
    /// code.
    private static void enterThirdLevel(SplitterTree splitters, long[] keys, int count, int[] nodes) {
        var tree = splitters.tree;
        long low = splitters.low;
        long high = splitters.high;
        long base = splitters.base;
        long t1 = tree[1];
        long t2 = tree[2];
        long t3 = tree[3];
        long t4 = tree[4];
        long t5 = tree[5];
        long t6 = tree[6];
        long t7 = tree[7];
        for (int i = 0; i < count; i++) {
            long x = relative(keys[i], low, high, base); // int: long x = keys[i];
            nodes[i] = 8
                    + (int) (((t1 - x) >>> 63)
                            + ((t2 - x) >>> 63)
                            + ((t3 - x) >>> 63)
                            + ((t4 - x) >>> 63)
                            + ((t5 - x) >>> 63)
                            + ((t6 - x) >>> 63)
                            + ((t7 - x) >>> 63));
        }
    }

    // only longs
    /// Looks keys up without overflow: a key is compared with splitters of its own sign, and its place relative to the
    /// others is known.
    private static void enterThirdLevelAroundZero(long[] tree, long[] keys, int count, int[] nodes) {
        long t2 = tree[2];
        long t3 = tree[3];
        long t4 = tree[4];
        long t5 = tree[5];
        long t6 = tree[6];
        long t7 = tree[7];
        for (int i = 0; i < count; i++) {
            long x = keys[i];
            long isAbove = ~x >>> 63;
            long negative = Math.min(x, -1);
            long positive = Math.max(x, 0);
            nodes[i] = 8
                    + (int) (isAbove
                            + ((t2 - negative) >>> 63 | isAbove)
                            + ((t4 - negative) >>> 63 | isAbove)
                            + ((t5 - negative) >>> 63 | isAbove)
                            + ((t3 - positive) >>> 63)
                            + ((t6 - positive) >>> 63)
                            + ((t7 - positive) >>> 63));
        }
    }

    private static long relative(long key, long low, long high, long base) {
        return Math.min(Math.max(key, low), high) - base;
    }
    // ints too
}
