package io.samplesort.cpu.strings;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/// The different strings of an input that has few of them, each with a number. All threads of a sort share the table:
/// a string in the table keeps its place, so threads only meet when two of them add a string.
final class StringTable {
    /// The most different strings. The second cache of a core has room for twice the bytes of the table.
    static final int MOST = 1 << 13;

    private static final int SLOT_BITS = 15;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    /// Stands for the number of a string for which there is no room.
    static final int FULL = -1;

    private final StringBytes text;
    /// Each slot has bits of a hash in its high half, and one more than the number of the string in its low half; a
    /// free slot is 0.
    private final AtomicLongArray slots = new AtomicLongArray(1 << SLOT_BITS);
    private final AtomicInteger numbers = new AtomicInteger();
    private final long[] indexes = new long[MOST];
    private final long[] starts = new long[MOST];
    private final long[] lengths = new long[MOST];

    StringTable(StringBytes text) {
        this.text = text;
    }

    static long heapBytes() {
        return Long.BYTES * (3L * MOST + (1L << SLOT_BITS));
    }

    /// Returns how many numbers there are. Some may belong to no string: their index is -1.
    int size() {
        return Math.min(MOST, numbers.get());
    }

    boolean isFull() {
        return numbers.get() > MOST;
    }

    /// Returns the index of one of the strings with this number.
    long index(int number) {
        return indexes[number];
    }

    /// Returns the number of a string, which is added if it is new.
    ///
    /// @param hash as [StringBytes#hash] gives it
    int number(long hash, long index, long start, long length) {
        int added = FULL;
        for (int slot = (int) hash & SLOT_MASK; ; ) {
            long found = slots.getAcquire(slot);
            if (found == 0) {
                added = added == FULL ? add(index, start, length) : added;
                if (added == FULL) {
                    return FULL;
                }
                // Another thread may have been faster, perhaps with the same string.
                if (slots.compareAndSet(slot, 0, hash & ~0L << Integer.SIZE | added + 1)) {
                    return added;
                }
            } else if (isSame(found, hash, start, length)) {
                if (added != FULL) {
                    indexes[added] = -1;
                }
                return (int) found - 1;
            } else {
                slot = slot + 1 & SLOT_MASK;
            }
        }
    }

    private int add(long index, long start, long length) {
        int number = numbers.getAndIncrement();
        if (number >= MOST) {
            return FULL;
        }
        indexes[number] = index;
        starts[number] = start;
        lengths[number] = length;
        return number;
    }

    private boolean isSame(long found, long hash, long start, long length) {
        int number = (int) found - 1;
        return (found ^ hash) >>> Integer.SIZE == 0
                && lengths[number] == length
                && text.areEqual(starts[number], start, length);
    }
}
