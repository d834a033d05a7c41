package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// Where pages are and where they have to go. One map serves a whole sort: distribution passes over disjoint ranges use
/// disjoint parts of it.
final class PageMap {
    /// Stands for a bucket in slots that hold no page.
    static final short EMPTY = -1;
    /// Stands for a target in slots whose page stays.
    static final int STAYS = Integer.MIN_VALUE;

    /// The bucket of the page in each slot, or [#EMPTY].
    private short[] buckets = {};
    /// The slot to which the page of each slot has to move, or [#STAYS]. It is inverted (`~`) if no page moves to the
    /// slot itself.
    private int[] targets = {};

    /// Makes the map large enough for `slotCount` slots.
    void reserve(long slotCount) {
        if (buckets.length < slotCount) {
            int size = Math.toIntExact(slotCount);
            buckets = new short[size];
            targets = new int[size];
        }
    }

    long heapBytes() {
        return (long) Short.BYTES * buckets.length + (long) Integer.BYTES * targets.length;
    }

    short[] buckets() {
        return buckets;
    }

    int[] targets() {
        return targets;
    }

    void clear(int from, int to) {
        Arrays.fill(buckets, from, to, EMPTY);
    }
}
