package io.samplesort.cpu.leaf;

import io.samplesort.cpu.leaf.Kernels.Operation;

/// A table of how often each key occurs, for inputs with few distinct keys. Only one thread at a time may use it.
public final class KeyCounts {
    private final SimdKeys keys;
    private final int bits;
    private final long[] table;
    private long distinct;

    KeyCounts(SimdKeys keys, int bits) {
        this.keys = keys;
        this.bits = bits;
        this.table = new long[2 + (2 << bits)];
    }

    public long bytes() {
        return (long) table.length * Long.BYTES;
    }

    /// Counts the keys `from..to`, of which there are fewer than 2^32 in all.
    ///
    /// @return false if there are too many distinct keys; the table is of no use in that case
    public boolean add(long from, long to) {
        distinct = keys.callOnCounted(Operation.COUNT, table, from, to, bits);
        return distinct >= 0;
    }

    /// Adds the counts of another table for the same keys.
    ///
    /// @return false if there are too many distinct keys; the table is of no use in that case
    public boolean add(KeyCounts other) {
        distinct = keys.callOnCounted(Operation.ADD_COUNTS, table, other.table, bits);
        return distinct >= 0;
    }

    /// Returns the keys that were counted, in order.
    public Sorted sorted() {
        // The key zero may be missing from the number of distinct keys, so there may be one more.
        long[] sorted = new long[(int) (2 * distinct + 4)];
        return new Sorted(keys, sorted, keys.callOnCounted(Operation.ORDER_COUNTED, table, sorted, bits));
    }

    /// Distinct keys in order, with the places where each begins in the sorted input.
    ///
    /// @param counted in the form that the kernels use
    public record Sorted(SimdKeys keys, long[] counted, long distinct) {
        /// Writes the sorted keys `from..to`.
        public void write(long from, long to) {
            keys.callOnCounted(Operation.WRITE_COUNTED, counted, from, to, distinct);
        }
    }
}
