package io.samplesort.rows;

/// The words of a sort of rows, kept for the next sort.
public final class RowMemory {
    private long[] words = {};

    /// Returns room for this many words.
    long[] words(int count) {
        if (words.length < count) {
            // Old memory is dropped first, so that old and new memory need not exist at once.
            words = new long[0];
            words = new long[count];
        }
        return words;
    }

    /// Returns how many bytes are kept.
    public long bytes() {
        return (long) Long.BYTES * words.length;
    }

    /// Gives the memory back.
    public void release() {
        words = new long[0];
    }
}
