package io.samplesort.spark.rows;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/// Collects copies of rows into blocks of about the same size.
public final class RowBlockBuilder {
    private final int blockBytes;
    private int nextBytes;
    private byte[] bytes;
    private int size;
    private int count;
    private int rowBytes;
    private int[] ends;

    /// @param blockBytes how large a block may become, unless a single row is larger
    public RowBlockBuilder(int blockBytes) {
        this(blockBytes, blockBytes);
    }

    /// Each block may be twice as large as the one before, so that partitions of few rows do not need a large block.
    ///
    /// @param firstBytes how large the first block may become
    /// @param blockBytes how large any block may become, unless a single row is larger
    public RowBlockBuilder(int firstBytes, int blockBytes) {
        this.blockBytes = blockBytes;
        this.nextBytes = firstBytes;
    }

    /// Returns whether the block that is being built has room for this row. An empty one has room for any.
    public boolean hasRoomFor(UnsafeRow row) {
        return count == 0 || row.getSizeInBytes() <= bytes.length - size;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /// Adds a copy of a row for which there is room.
    public void add(UnsafeRow row) {
        int added = row.getSizeInBytes();
        if (count == 0) {
            bytes = new byte[Math.max(nextBytes, added)];
            nextBytes = (int) Math.min(blockBytes, 2L * nextBytes);
            rowBytes = added;
        } else if (added != rowBytes && ends == null) {
            ends = new int[Math.max(16, 2 * count)];
            Arrays.setAll(ends, i -> (i + 1) * rowBytes);
        }
        Platform.copyMemory(
                row.getBaseObject(), row.getBaseOffset(), bytes, (long) Platform.BYTE_ARRAY_OFFSET + size, added);
        size += added;
        if (ends != null) {
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, 2 * count);
            }
            ends[count] = size;
        }
        count++;
    }

    /// Returns the block, and begins the next one.
    public RowBlock finish(long origin) {
        RowBlock block = new RowBlock(origin, bytes, size, count, ends == null ? rowBytes : 0, ends);
        bytes = null;
        ends = null;
        size = 0;
        count = 0;
        return block;
    }
}
