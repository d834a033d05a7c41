package io.samplesort.cpu.lanes;

import io.samplesort.cpu.leaf.LeafSort;

/// Sorts two parallel arrays by the first. As many leading bits of a key as fit are packed with its index into one
/// long, a leaf sort sorts the longs, and both arrays are gathered. Elements whose leading bits are equal are sorted
/// again by the bits that are left, so there are at most two rounds.
public final class PairSort {
    /// With two bits to spare the longs can be sorted as doubles, see [LeafSort].
    private static final int PACKED_BITS = 62;

    private final LeafSort leafSort;
    private long[] packed = {};
    private long[] gathered = {};

    /// @param leafSort serves this sort alone, or others of the same thread
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
        int count = to - from;
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (int i = from; i < to; i++) {
            least = Math.min(least, keys[i]);
            greatest = Math.max(greatest, keys[i]);
        }
        if (count < 2 || least == greatest) {
            return;
        }
        int indexBits = 32 - Integer.numberOfLeadingZeros(count - 1);
        int keyBits = 64 - Long.numberOfLeadingZeros(greatest - least);
        int dropped = Math.max(0, keyBits + indexBits - PACKED_BITS);
        for (int i = 0; i < count; i++) {
            packed[i] = (keys[from + i] - least) >>> dropped << indexBits | i;
        }
        leafSort.sort(packed, 0, count);
        gather(keys, from, count, indexBits);
        gather(payload, from, count, indexBits);
        if (dropped > 0) {
            sortEqualPrefixes(keys, payload, from, to, least, dropped);
        }
    }

    private void gather(long[] values, int from, int count, int indexBits) {
        int mask = (1 << indexBits) - 1;
        for (int i = 0; i < count; i++) {
            gathered[i] = values[from + ((int) packed[i] & mask)];
        }
        System.arraycopy(gathered, 0, values, from, count);
    }

    private void sortEqualPrefixes(long[] keys, long[] payload, int from, int to, long least, int dropped) {
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || (keys[i] - least) >>> dropped != (keys[start] - least) >>> dropped) {
                if (i - start > 1) {
                    sort(keys, payload, start, i);
                }
                start = i;
            }
        }
    }
}
