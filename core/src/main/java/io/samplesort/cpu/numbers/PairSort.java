package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.LeafSort;

/// Sorts two parallel arrays by the first. As many leading bits of a key as fit are packed with its index into one
/// long. A leaf sort sorts the longs, and both arrays are gathered in that order. Elements whose leading bits are equal
/// are sorted again by the remaining bits, so there are at most two rounds.
public final class PairSort {
    /// With two bits to spare the longs can be sorted as doubles, see [LeafSort].
    private static final int PACKED_BITS = 62;

    private final LeafSort leafSort;
    private long[] packed = {};
    private long[] gathered = {};
    /// For the keys that were packed last: the least key, how many bits an index takes, and how many bits of a key were
    /// dropped.
    private long least;

    private int indexBits;
    private int dropped;

    /// @param leafSort serves only this sort, or others of the same thread as well
    public PairSort(LeafSort leafSort) {
        this.leafSort = leafSort;
    }

    /// Makes room for sorts of up to `count` elements.
    public void reserve(int count) {
        if (packed.length < count) {
            packed = new long[count];
            leafSort.reserveLongs(count);
            gathered = new long[count];
        }
    }

    /// Returns the bytes of heap that this sort holds, without the leaf sort's.
    public long heapBytes() {
        return Long.BYTES * (0L + packed.length + gathered.length);
    }

    /// Sorts elements `from..to`, at most as many as were reserved. Elements with equal keys stay in their order.
    public void sort(long[] keys, long[] payload, int from, int to) {
        if (sortPacked(keys, from, to)) {
            gather(keys, from, to - from);
            gather(payload, from, to - from);
            sortEqualPrefixes(keys, payload, from, to);
        }
    }

    /// Finds the order of the first `count` keys, at most as many as were reserved: `places[i]` becomes the place of
    /// the key that comes i-th. Equal keys stay in their order.
    ///
    /// @param mayTie whether it does not matter which keys are equal
    /// @return whether all is done, in which case the keys are where they were. Otherwise the keys have been sorted,
    ///     and some may be equal.
    public boolean sortPlaces(long[] keys, long[] places, int count, boolean mayTie) {
        boolean areDifferent = sortPacked(keys, 0, count);
        if (areDifferent && (mayTie && dropped == 0 || hasDistinctPrefixes(count))) {
            long mask = (1L << indexBits) - 1;
            for (int i = 0; i < count; i++) {
                places[i] = packed[i] & mask;
            }
            return true;
        }
        for (int i = 0; i < count; i++) {
            places[i] = i;
        }
        if (areDifferent) {
            gather(keys, 0, count);
            gather(places, 0, count);
            sortEqualPrefixes(keys, places, 0, count);
        }
        return false;
    }

    /// Sorts the leading bits of keys and their indexes in the range, packed.
    ///
    /// @return false, with nothing done, if all keys are equal
    private boolean sortPacked(long[] keys, int from, int to) {
        int count = to - from;
        long smallest = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (int i = from; i < to; i++) {
            smallest = Math.min(smallest, keys[i]);
            greatest = Math.max(greatest, keys[i]);
        }
        if (count < 2 || smallest == greatest) {
            return false;
        }
        least = smallest;
        indexBits = 32 - Integer.numberOfLeadingZeros(count - 1);
        int keyBits = 64 - Long.numberOfLeadingZeros(greatest - smallest);
        dropped = Math.max(0, keyBits + indexBits - PACKED_BITS);
        long base = smallest;
        int right = dropped;
        int left = indexBits;
        for (int i = 0; i < count; i++) {
            packed[i] = (keys[from + i] - base) >>> right << left | i;
        }
        leafSort.sort(packed, 0, count);
        return true;
    }

    /// Returns whether all leading bits that were packed differ.
    private boolean hasDistinctPrefixes(int count) {
        long difference = Long.MAX_VALUE;
        for (int i = 1; i < count; i++) {
            difference = Math.min(difference, (packed[i] ^ packed[i - 1]) >>> indexBits);
        }
        return difference > 0;
    }

    private void gather(long[] values, int from, int count) {
        int mask = (1 << indexBits) - 1;
        for (int i = 0; i < count; i++) {
            gathered[i] = values[from + ((int) packed[i] & mask)];
        }
        System.arraycopy(gathered, 0, values, from, count);
    }

    /// Sorts the runs of keys whose leading bits are equal by the bits that were dropped.
    private void sortEqualPrefixes(long[] keys, long[] payload, int from, int to) {
        if (dropped == 0) {
            return;
        }
        // The sorts of runs change this field.
        long base = least;
        int right = dropped;
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || (keys[i] - base) >>> right != (keys[start] - base) >>> right) {
                if (i - start > 1) {
                    sort(keys, payload, start, i);
                }
                start = i;
            }
        }
    }
}
