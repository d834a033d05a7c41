package io.samplesort.external;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A column of payloads that is generated instead of read from a file: payload i is the number i. A stable sort that
/// writes only this column is an argsort.
public final class IndexColumn {
    private final int indexBytes;
    private final byte[] header;

    /// @param indexBytes bytes of an index, 4 or 8
    /// @param header     what stands before the indexes in the output
    public IndexColumn(int indexBytes, byte[] header) {
        this.indexBytes = indexBytes;
        this.header = header.clone();
    }

    int indexBytes() {
        return indexBytes;
    }

    MemorySegment header() {
        return MemorySegment.ofArray(header);
    }

    /// Returns the size of the output in bytes.
    long fileBytes(long count) {
        return header.length + count * indexBytes;
    }

    /// Returns the greatest number of elements whose indexes the type can hold.
    long maxCount() {
        return indexBytes == Integer.BYTES ? Integer.MAX_VALUE + 1L : Long.MAX_VALUE;
    }

    /// Fills memory with indexes, from `first` on.
    void fill(MemorySegment target, long first) {
        long count = target.byteSize() / indexBytes;
        if (indexBytes == Integer.BYTES) {
            for (long i = 0; i < count; i++) {
                target.set(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES, (int) (first + i));
            }
        } else {
            for (long i = 0; i < count; i++) {
                target.set(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES, first + i);
            }
        }
    }
}
