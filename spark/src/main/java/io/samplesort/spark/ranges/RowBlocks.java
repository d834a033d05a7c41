package io.samplesort.spark.ranges;

import io.samplesort.spark.blocks.BlockIo;
import io.samplesort.spark.rows.RowBlock;
import io.samplesort.spark.shuffle.PieceFormat;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Blocks of rows in a stream: 20 bytes for each, then where its rows end if their sizes differ, then the rows as they
/// lie in memory. All machines of a cluster must have the same byte order, as Spark's own exchange of rows demands.
final class RowBlocks implements PieceFormat<RowBlock> {
    private static final long serialVersionUID = 1;

    @Override
    public void write(RowBlock block, DataOutputStream target) throws IOException {
        target.writeLong(block.origin());
        target.writeInt(block.size());
        target.writeInt(block.count());
        target.writeInt(block.rowBytes());
        if (block.ends() != null) {
            BlockIo.write(ends(block.ends(), block.count()), target);
        }
        target.write(block.bytes(), 0, block.size());
    }

    @Override
    public RowBlock read(DataInputStream source) throws IOException {
        long origin = source.readLong();
        byte[] bytes = new byte[source.readInt()];
        int count = source.readInt();
        int rowBytes = source.readInt();
        int[] ends = null;
        if (rowBytes == 0) {
            ends = new int[count];
            BlockIo.read(source, ends(ends, count));
        }
        source.readFully(bytes);
        return new RowBlock(origin, bytes, bytes.length, count, rowBytes, ends);
    }

    private static MemorySegment ends(int[] ends, int count) {
        return MemorySegment.ofArray(ends).asSlice(0, (long) count * Integer.BYTES);
    }
}
