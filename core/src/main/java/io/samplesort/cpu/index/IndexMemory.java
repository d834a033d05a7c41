package io.samplesort.cpu.index;

import io.samplesort.memory.LargeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The memory that a sort of indexes needs beside the input, kept for the next sort. All of it is allocated before an
/// element moves.
final class IndexMemory {
    private long[] prefixes = {};
    private int[] indexes = {};
    private int[] spare = {};
    /// The owner of the copy, which is native since it may be larger than an array can be. Null if there is no copy.
    private Arena arena;
    private MemorySegment copy = MemorySegment.NULL;

    /// Allocates what is missing.
    ///
    /// @param prefixCount how many prefixes
    /// @param indexCount  how many indexes
    /// @param copyBytes   room for one column
    void reserve(int prefixCount, int indexCount, long copyBytes) {
        if (prefixes.length < prefixCount) {
            // Old memory is dropped first, so that it need not fit beside the new.
            prefixes = new long[0];
            prefixes = new long[prefixCount];
        }
        if (indexes.length < indexCount) {
            indexes = new int[0];
            indexes = new int[indexCount];
        }
        if (copy.byteSize() < copyBytes && (long) prefixCount * Long.BYTES < copyBytes) {
            releaseCopy();
            Arena next = Arena.ofShared();
            copy = LargeMemory.allocate(copyBytes, next);
            arena = next;
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
            spare = new int[count];
        }
        return spare;
    }

    /// Returns room for a column of `bytes`: that of the prefixes, which nobody needs any more by then, or memory of
    /// its own.
    MemorySegment copy(long bytes) {
        return copy.byteSize() >= bytes ? copy : MemorySegment.ofArray(prefixes);
    }

    long bytes() {
        return (long) Long.BYTES * prefixes.length
                + (long) Integer.BYTES * indexes.length
                + (long) Integer.BYTES * spare.length
                + copy.byteSize();
    }

    void release() {
        prefixes = new long[0];
        indexes = new int[0];
        spare = new int[0];
        releaseCopy();
    }

    private void releaseCopy() {
        copy = MemorySegment.NULL;
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }
}
