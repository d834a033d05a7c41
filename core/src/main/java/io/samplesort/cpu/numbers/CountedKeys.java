package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// How often each of a few distinct keys occurs. For one thread at a time.
final class CountedKeys {
    /// A table of more distinct keys is slower than sorting them.
    static final int MOST = 256;

    private static final int SLOT_BITS = 10;
    private static final int SLOTS = 1 << SLOT_BITS;

    /// The golden ratio as a fraction of 2^64, which spreads keys over the slots by their highest bits.
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final long[] keys = new long[SLOTS];
    /// Zero where a slot is free.
    private final long[] counts = new long[SLOTS];
    private int distinct;

    static long heapBytes() {
        return 2L * Long.BYTES * SLOTS;
    }

    /// Counts keys.
    ///
    /// @return false if there are more than [#MOST] distinct ones; the table is of no use in that case
    boolean add(long[] elements, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!add(elements[i], 1)) {
                return false;
            }
        }
        return true;
    }

    /// Does the same with ints.
    boolean add(int[] elements, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!add(elements[i], 1)) {
                return false;
            }
        }
        return true;
    }

    /// Adds the counts of another table.
    boolean add(CountedKeys other) {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (other.counts[slot] > 0 && !add(other.keys[slot], other.counts[slot])) {
                return false;
            }
        }
        return true;
    }

    private boolean add(long key, long count) {
        int slot = (int) (key * SPREAD >>> Long.SIZE - SLOT_BITS);
        while (keys[slot] != key || counts[slot] == 0) {
            if (counts[slot] == 0) {
                keys[slot] = key;
                if (++distinct > MOST) {
                    return false;
                }
                break;
            }
            slot = slot + 1 & SLOTS - 1;
        }
        counts[slot] += count;
        return true;
    }

    /// Distinct keys in order.
    ///
    /// @param ends where each ends in the sorted input
    record Sorted(long[] keys, long[] ends) {}

    Sorted sorted() {
        int[] slots = new int[distinct];
        int used = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (counts[slot] > 0) {
                slots[used++] = slot;
            }
        }
        long[] sorted = new long[distinct];
        Arrays.setAll(sorted, i -> keys[slots[i]]);
        Arrays.sort(sorted);
        long[] ends = new long[distinct];
        for (int slot : slots) {
            ends[Arrays.binarySearch(sorted, keys[slot])] = counts[slot];
        }
        for (int i = 1; i < ends.length; i++) {
            ends[i] += ends[i - 1];
        }
        return new Sorted(sorted, ends);
    }
}
