package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockIo;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.types.ElementType;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.spark.serializer.SerializationStream;
import scala.reflect.ClassTag;

/// Writes numbers of partitions as keys, and pieces of runs as values.
final class PieceOutput<B> extends SerializationStream {
    private final BlockType<B> type;
    private final DataOutputStream target;

    PieceOutput(BlockType<B> type, DataOutputStream target) {
        this.type = type;
        this.target = target;
    }

    private interface Action {
        void run() throws IOException;
    }

    /// Spark's methods are Scala's and declare no exceptions.
    private PieceOutput<B> unchecked(Action action) {
        try {
            action.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    @Override
    public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
        return unchecked(() -> target.writeInt((Integer) key));
    }

    @Override
    @SuppressWarnings("unchecked") // the shuffle has pieces of this type alone
    public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
        return unchecked(() -> write((Piece<B>) value));
    }

    private void write(Piece<B> piece) throws IOException {
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
    public <T> SerializationStream writeObject(T value, ClassTag<T> tag) {
        throw PieceSerializer.streamsAlone();
    }

    @Override
    public void flush() {
        unchecked(target::flush);
    }

    @Override
    public void close() {
        unchecked(target::close);
    }
}
