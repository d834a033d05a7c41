package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockIo;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.shuffle.PieceFormat;
import io.samplesort.types.ElementType;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Pieces of runs in a stream: 12 bytes for each, then its arrays as they lie in memory. All machines of a cluster must
/// have the same byte order.
///
/// @param type what the blocks hold
record BlockPieces<B>(BlockType<B> type) implements PieceFormat<Piece<B>> {
    private static final long serialVersionUID = 1;

    @Override
    public void write(Piece<B> piece, DataOutputStream target) throws IOException {
        target.writeInt(piece.partition());
        target.writeInt(piece.number());
        target.writeInt(piece.count());
        List<ElementType> types = type.columnTypes();
        List<MemorySegment> columns = type.columns(piece.block());
        for (int i = 0; i < types.size(); i++) {
            long bytes = types.get(i).byteSize();
            BlockIo.write(columns.get(i).asSlice(piece.from() * bytes, piece.count() * bytes), target);
        }
    }

    @Override
    public Piece<B> read(DataInputStream source) throws IOException {
        int partition = source.readInt();
        int number = source.readInt();
        int count = source.readInt();
        B block = type.allocate(count);
        for (MemorySegment column : type.columns(block)) {
            BlockIo.read(source, column);
        }
        return new Piece<>(partition, number, block, 0, count);
    }
}
