package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// Splitters on a grid whose cells are divided into parts where the keys lie densely. With two look-ups, it finds the
/// buckets of inputs that are too skewed for a [SplitterGrid], such as floating-point numbers of both signs,
/// exponential keys, keys with a few outliers, or small integers that repeat.
///
/// A part that is as narrow as one key, and has more elements than a bucket should, gets an equality bucket of its own.
/// [#build] refuses a sample in which a wider part has too many keys.
public final class NestedGrid implements BucketFinder {
    private static final int CELL_LOG = 10;
    private static final int CELLS = 1 << CELL_LOG;

    /// The most parts, in addition to one for each cell.
    private static final int PART_LIMIT = 1 << 13;

    /// A cell is divided into at most this many parts for each key of the sample in it, rounded up to a power of two.
    private static final int PARTS_PER_KEY = 4;

    private static final int SHIFT_BITS = 6;

    /// For each cell, where its parts begin in `bucketOfPart` and, in the lowest [#SHIFT_BITS] bits, the binary
    /// logarithm of the width of a part.
    private final int[] cells = new int[CELLS];
    private final int[] counts = new int[CELLS];
    private final short[] bucketOfPart = new short[PART_LIMIT + CELLS];
    private final int[] partCounts = new int[PART_LIMIT + CELLS];
    private final boolean[] isEquality;
    private final long[] keyOfBucket;
    private int bucketCount;
    /// Keys below `low` belong to the part of `low`, and those above `high` to the part of `high`.
    private long low;
    private long high;
    private int shift;
    private long inCell;

    /// @param bucketLog the binary logarithm of the most buckets that there may be, at most 15
    public NestedGrid(int bucketLog) {
        isEquality = new boolean[1 << bucketLog];
        keyOfBucket = new long[1 << bucketLog];
    }

    @Override
    public int bucketCount() {
        return bucketCount;
    }

    @Override
    public boolean isEqualityBucket(int b) {
        return isEquality[b];
    }

    @Override
    public long keyOf(int b) {
        return keyOfBucket[b];
    }

    /// Divides the range of a sample among buckets.
    ///
    /// @param sample sorted
    /// @param count  how many keys it has, at least 1
    /// @param unit   the distance of neighbouring keys, a power of two: elements that differ by less have equal keys
    /// @param limit  the most buckets there may be
    /// @return whether the keys spread well enough
    public boolean build(long[] sample, int count, long unit, int limit) {
        // The ends of the range are not in the sample, so a part of one key holds no keys from beyond the range.
        low = sample[0] & -unit;
        low = low == Long.MIN_VALUE ? low : low - unit;
        high = sample[count - 1] | unit - 1;
        high = high == Long.MAX_VALUE ? high : high + unit;
        // The range is unsigned: it may be up to 2^64 - 1.
        shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(high - low) - CELL_LOG);
        inCell = (1L << shift) - 1;
        Arrays.fill(counts, 0);
        for (int i = 0; i < count; i++) {
            counts[(int) (sample[i] - low >>> shift)]++;
        }
        int partCount = divideCells(count, Long.numberOfTrailingZeros(unit));
        Arrays.fill(partCounts, 0, partCount, 0);
        for (int i = 0; i < count; i++) {
            partCounts[partOf(sample[i])]++;
        }
        return assignBuckets(sample, count, unit, limit);
    }

    /// Gives each cell parts in proportion to its keys. No part is narrower than a key.
    ///
    /// @return how many parts there are
    private int divideCells(int sampleSize, int unitLog) {
        int parts = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            int wanted = (int)
                    Math.min((long) counts[cell] * PARTS_PER_KEY, (long) counts[cell] * (PART_LIMIT / 2) / sampleSize);
            int log = wanted <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(wanted - 1);
            log = Math.min(log, Math.max(0, shift - unitLog));
            cells[cell] = parts << SHIFT_BITS | shift - log;
            parts += 1 << log;
        }
        return parts;
    }

    /// Assigns neighbouring parts to a bucket until it has its share, and every part with too many elements to a bucket
    /// of its own.
    ///
    /// @return whether no bucket, except equality buckets, gets more than twice its share
    private boolean assignBuckets(long[] sample, int count, long unit, int limit) {
        int frequent = 0;
        int frequentKeys = 0;
        for (int i = 0; i < count; ) {
            int part = partOf(sample[i]);
            int size = partCounts[part];
            if (isTooLarge(size, count, limit)) {
                if ((sample[i] & -unit) != (sample[i + size - 1] & -unit) || partWidth(sample[i]) > unit) {
                    return false;
                }
                frequent++;
                frequentKeys += size;
            }
            i += size;
        }
        // Each frequent key may cut a bucket short.
        int others = limit - 2 * frequent - 1;
        int share = others < 1 ? count : Math.max(1, (count - frequentKeys + others - 1) / others);
        if ((long) share * limit > 2L * Math.max(count, limit)) {
            return false;
        }
        fillBuckets(sample, count, unit, limit, share);
        return true;
    }

    private static boolean isTooLarge(int size, int count, int limit) {
        return (long) size * limit > count;
    }

    private void fillBuckets(long[] sample, int count, long unit, int limit, int share) {
        Arrays.fill(isEquality, false);
        int bucket = 0;
        int filled = 0;
        int next = 0;
        for (int i = 0; i < count; ) {
            int part = partOf(sample[i]);
            int size = partCounts[part];
            boolean isFrequent = isTooLarge(size, count, limit);
            boolean isFull = filled >= share || isFrequent && (filled > 0 || next < part);
            // Parts in between without a key of the sample go with the keys before them.
            Arrays.fill(bucketOfPart, next, part, (short) bucket);
            if (isFull) {
                bucket++;
                filled = 0;
            }
            bucketOfPart[part] = (short) bucket;
            if (isFrequent) {
                isEquality[bucket] = true;
                keyOfBucket[bucket] = sample[i] & -unit;
                bucket++;
            } else {
                filled += size;
            }
            next = part + 1;
            i += size;
        }
        int last = partOf(high) + 1;
        Arrays.fill(bucketOfPart, next, last, (short) bucket);
        bucketCount = bucket + 1;
    }

    private int partOf(long key) {
        long place = Math.min(Math.max(key, low), high) - low;
        int cell = cells[(int) (place >>> shift)];
        return (cell >>> SHIFT_BITS) + (int) ((place & inCell) >>> cell);
    }

    private long partWidth(long key) {
        // A shift of a long uses only the lowest six bits of its distance.
        return 1L << cells[(int) (key - low >>> shift)];
    }

    @Override
    public void findBuckets(long[] keys, int count, short[] buckets, int[] nodes) {
        int[] table = cells;
        short[] bucketOf = bucketOfPart;
        long least = low;
        long greatest = high;
        long within = inCell;
        int cellShift = shift;
        for (int i = 0; i < count; i++) {
            long place = Math.min(Math.max(keys[i], least), greatest) - least;
            int cell = table[(int) (place >>> cellShift)];
            // A shift of a long uses only the lowest six bits of its distance.
            buckets[i] = bucketOf[(cell >>> SHIFT_BITS) + (int) ((place & within) >>> cell)];
        }
    }

    @Override
    public void findBuckets(int[] keys, int count, short[] buckets, int[] nodes) {
        int[] table = cells;
        short[] bucketOf = bucketOfPart;
        long least = low;
        long greatest = high;
        long within = inCell;
        int cellShift = shift;
        for (int i = 0; i < count; i++) {
            long place = Math.min(Math.max(keys[i], least), greatest) - least;
            int cell = table[(int) (place >>> cellShift)];
            buckets[i] = bucketOf[(cell >>> SHIFT_BITS) + (int) ((place & within) >>> cell)];
        }
    }
}
