package io.samplesort.cpu.records;

import io.samplesort.memory.KeptMemory;
import io.samplesort.memory.LittleHeap;
import java.lang.foreign.MemorySegment;

/// The memory that a sort of indexes needs in addition to the input, kept for the next sort. All of it is allocated
/// before an element moves.
final class IndexMemory {
    private long[] prefixes = {};
    private int[] indexes = {};
    private int[] spare = {};
    private final KeptMemory copy = new KeptMemory();

    /// Allocates what is missing.
    ///
    /// @param prefixCount how many prefixes
    /// @param indexCount  how many indexes
    /// @param copyBytes   room for one column
    /// @throws OutOfMemoryError if there is too little memory; the message says what to do
    void reserve(int prefixCount, int indexCount, long copyBytes) {
        try {
            allocate(prefixCount, indexCount, copyBytes);
        } catch (OutOfMemoryError e) {
            release();
            throw told(e, indexCount, prefixCount > 0);
        }
    }

    /// @param hasPrefixes whether the indexes are sorted by prefixes instead of by a comparator
    private static OutOfMemoryError told(OutOfMemoryError failure, int count, boolean hasPrefixes) {
        long bytes = (long) count * (hasPrefixes ? Long.BYTES + Integer.BYTES : 2 * Integer.BYTES);
        return LittleHeap.told(
                failure, "a sort of " + count + " elements by their indexes", bytes, "sort parts and merge them");
    }

    private void allocate(int prefixCount, int indexCount, long copyBytes) {
        if ((long) prefixCount * Long.BYTES < copyBytes) {
            copy.reserve(copyBytes);
        }
        if (prefixes.length < prefixCount) {
            // Old memory is dropped first, so that old and new memory need not exist at once.
            prefixes = new long[0];
            prefixes = new long[prefixCount];
        }
        if (indexes.length < indexCount) {
            indexes = new int[0];
            indexes = new int[indexCount];
        }
    }

    long[] prefixes() {
        return prefixes;
    }

    int[] indexes() {
        return indexes;
    }

    /// Returns a second array of `count` indexes. It is allocated when it is first asked for, since many sort keys do
    /// not need it.
    int[] spare(int count) {
        if (spare.length < count) {
            spare = new int[0];
            try {
                spare = new int[count];
            } catch (OutOfMemoryError e) {
                throw told(e, count, prefixes.length > 0);
            }
        }
        return spare;
    }

    /// Returns room for a column of `bytes`: the memory of the prefixes, which are not needed any more by then, or
    /// other memory.
    MemorySegment copy(long bytes) {
        return copy.segment().byteSize() >= bytes ? copy.segment() : MemorySegment.ofArray(prefixes);
    }

    long bytes() {
        return (long) Long.BYTES * prefixes.length
                + (long) Integer.BYTES * indexes.length
                + (long) Integer.BYTES * spare.length
                + copy.segment().byteSize();
    }

    void release() {
        prefixes = new long[0];
        indexes = new int[0];
        spare = new int[0];
        copy.release();
    }
}
