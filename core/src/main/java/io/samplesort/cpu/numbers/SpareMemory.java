package io.samplesort.cpu.numbers;

import java.lang.foreign.MemorySegment;

/// Heap memory that a sorter keeps from one sort to the next.
final class SpareMemory {
    private long[] longs = {};

    /// Returns memory of at least this many bytes; null if there is too little heap.
    MemorySegment tryReserve(long bytes) {
        int needed = Math.toIntExact(Math.ceilDiv(bytes, Long.BYTES));
        try {
            if (longs.length < needed) {
                longs = new long[needed];
            }
            return MemorySegment.ofArray(longs);
        } catch (OutOfMemoryError e) {
            // Callers that could use a copy can do without one.
            return null;
        }
    }

    long heapBytes() {
        return (long) longs.length * Long.BYTES;
    }

    void release() {
        longs = new long[0];
    }
}
