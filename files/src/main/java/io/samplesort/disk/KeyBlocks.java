package io.samplesort.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.function.IntToLongFunction;

/// Single keys of several sorted runs in files, for a search that compares them. For each run, a block of keys around
/// the last key looked at is kept, so that the last steps of a search need no reads. Two threads must not use it at
/// once, as one would take the block away that another looks at.
public final class KeyBlocks {
    private static final int BLOCK_BYTES = 4096;

    private final IntToLongFunction lengths;
    private final int keyBytes;
    private final Comparator<MemorySegment> order;
    private final Reader reader;

    private final int blockLength;
    private final MemorySegment blocks;
    /// For each run, the index of the first key in its block and the end of the block.
    private final long[] from;
    private final long[] to;

    /// Reads keys that follow each other in a run.
    public interface Reader {
        /// @param first the number of the first key in its run
        void read(int run, long first, MemorySegment target) throws IOException;
    }

    /// @param runs    how many runs there are
    /// @param lengths how many keys each run has
    /// @param order   how keys compare
    /// @param arena   for the blocks, 4 KiB or one key for each run
    public KeyBlocks(
            int runs,
            IntToLongFunction lengths,
            int keyBytes,
            Comparator<MemorySegment> order,
            Reader reader,
            Arena arena) {
        this.lengths = lengths;
        this.keyBytes = keyBytes;
        this.order = order;
        this.reader = reader;
        this.blockLength = Math.max(1, BLOCK_BYTES / keyBytes);
        this.blocks = arena.allocate((long) runs * blockLength * keyBytes, Long.BYTES);
        this.from = new long[runs];
        this.to = new long[runs];
    }

    /// Compares a key of one run with a key of another.
    ///
    /// @throws UncheckedIOException if a file cannot be read
    public int compare(int run, long index, int otherRun, long otherIndex) {
        try {
            return order.compare(
                    key(run, index).asReadOnly(), key(otherRun, otherIndex).asReadOnly());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MemorySegment key(int run, long index) throws IOException {
        long block = (long) run * blockLength * keyBytes;
        if (index < from[run] || index >= to[run]) {
            long first = Math.max(0, index - blockLength / 2);
            long end = Math.min(lengths.applyAsLong(run), first + blockLength);
            to[run] = first;
            reader.read(run, first, blocks.asSlice(block, (end - first) * keyBytes));
            from[run] = first;
            to[run] = end;
        }
        return blocks.asSlice(block + (index - from[run]) * keyBytes, keyBytes);
    }
}
