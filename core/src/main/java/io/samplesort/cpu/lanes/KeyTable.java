package io.samplesort.cpu.lanes;

import java.util.Arrays;
import java.util.SplittableRandom;

/// The few keys of an input that has hardly any others. One look-up tells whether a key is among them, and which it is,
/// so that such inputs are counted and not moved. It is a hash table without collisions.
public final class KeyTable {
    /// With more keys, a sample says little about how many more there are.
    private static final int MOST_KEYS = 64;

    private static final int SLOT_LOG = 11;
    private static final int SLOTS = 1 << SLOT_LOG;
    private static final int TRIALS = 64;

    private final long[] keys = new long[SLOTS];
    private final int[] intKeys = new int[SLOTS];
    private final short[] bucketOfSlot = new short[SLOTS];
    private final long[] distinct = new long[MOST_KEYS];
    private final int[] slots = new int[MOST_KEYS];
    private final short[] buckets = new short[MOST_KEYS];
    private final int[] nodes = new int[MOST_KEYS];
    private int size;
    private long factor;
    private boolean hashesInts;

    /// Takes the keys of a sample, if they are few and each has an equality bucket.
    ///
    /// @param sample     sorted
    /// @param count      how many keys it has, at least 1
    /// @param hashesInts whether all keys fit an int
    /// @return whether they are few
    public boolean build(long[] sample, int count, boolean hashesInts, BucketFinder finder) {
        this.hashesInts = hashesInts;
        size = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || sample[i] != sample[i - 1]) {
                if (size == MOST_KEYS) {
                    return false;
                }
                distinct[size++] = sample[i];
            }
        }
        Arrays.fill(distinct, size, MOST_KEYS, distinct[0]);
        finder.findBuckets(distinct, size, buckets, nodes);
        for (int i = 0; i < size; i++) {
            if (!finder.isEqualityBucket(buckets[i])) {
                return false;
            }
        }
        return findFactor();
    }

    /// Looks for a factor by which no two keys fall into one slot.
    private boolean findFactor() {
        SplittableRandom random = new SplittableRandom(distinct[0] + size);
        boolean[] isTaken = new boolean[SLOTS];
        for (int trial = 0; trial < TRIALS; trial++) {
            factor = random.nextLong() | 1;
            Arrays.fill(isTaken, false);
            int placed = 0;
            while (placed < size && !isTaken[slotOf(distinct[placed])]) {
                slots[placed] = slotOf(distinct[placed]);
                isTaken[slots[placed++]] = true;
            }
            if (placed == size) {
                fillSlots();
                return true;
            }
        }
        return false;
    }

    private int slotOf(long key) {
        return hashesInts ? slot((int) key, (int) factor) : slot(key, factor);
    }

    private void fillSlots() {
        // A slot without a key has the first one, which belongs elsewhere, so no key of the input matches it.
        Arrays.fill(keys, distinct[0]);
        Arrays.fill(intKeys, (int) distinct[0]);
        for (int i = 0; i < size; i++) {
            keys[slots[i]] = distinct[i];
            intKeys[slots[i]] = (int) distinct[i];
            bucketOfSlot[slots[i]] = buckets[i];
        }
    }

    /// Returns room for [#count].
    public static int[] newCounts() {
        return new int[2 * SLOTS];
    }

    /// Counts `values[from..to)` if all are in the table.
    ///
    /// @param counts where they are added; unchanged if one is not in the table
    /// @return whether all are in the table
    boolean count(long[] values, int from, int to, int[] counts) {
        long misses = add(values, from, to, counts, 1);
        if (misses != 0) {
            add(values, from, to, counts, -1);
        }
        return misses == 0;
    }

    /// Neighbours are counted apart, because a processor waits for a counter that it has just written.
    private long add(long[] values, int from, int to, int[] counts, int step) {
        long[] known = keys;
        long by = factor;
        long misses = 0;
        int i = from;
        for (; i < to - 1; i += 2) {
            long first = values[i];
            long second = values[i + 1];
            int firstSlot = slot(first, by);
            int secondSlot = slot(second, by);
            misses |= known[firstSlot] ^ first | known[secondSlot] ^ second;
            counts[firstSlot] += step;
            counts[SLOTS + secondSlot] += step;
        }
        if (i < to) {
            int slot = slot(values[i], by);
            misses |= known[slot] ^ values[i];
            counts[slot] += step;
        }
        return misses;
    }

    /// Counts ints, as for longs.
    boolean count(int[] values, int from, int to, int[] counts) {
        int misses = add(values, from, to, counts, 1);
        if (misses != 0) {
            add(values, from, to, counts, -1);
        }
        return misses == 0;
    }

    private int add(int[] values, int from, int to, int[] counts, int step) {
        int[] known = intKeys;
        int by = (int) factor;
        int misses = 0;
        int i = from;
        for (; i < to - 1; i += 2) {
            int first = values[i];
            int second = values[i + 1];
            int firstSlot = slot(first, by);
            int secondSlot = slot(second, by);
            misses |= known[firstSlot] ^ first | known[secondSlot] ^ second;
            counts[firstSlot] += step;
            counts[SLOTS + secondSlot] += step;
        }
        if (i < to) {
            int slot = slot(values[i], by);
            misses |= known[slot] ^ values[i];
            counts[slot] += step;
        }
        return misses;
    }

    private static int slot(long key, long factor) {
        return (int) (key * factor >>> Long.SIZE - SLOT_LOG);
    }

    private static int slot(int key, int factor) {
        return key * factor >>> Integer.SIZE - SLOT_LOG;
    }

    /// Adds what was counted to the counts of the keys' buckets, and sets it to zero.
    public void moveCounts(int[] counts, long[] bucketCounts) {
        for (int i = 0; i < size; i++) {
            int slot = slots[i];
            bucketCounts[bucketOfSlot[slot]] += (long) counts[slot] + counts[SLOTS + slot];
            counts[slot] = 0;
            counts[SLOTS + slot] = 0;
        }
    }
}
