package io.samplesort.spark.shuffle;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.serializer.SerializationStream;
import scala.reflect.ClassTag;

/// Writes numbers of partitions as keys, and pieces as values.
final class PieceOutput<P> extends SerializationStream {
    private final PieceFormat<P> format;
    private final DataOutputStream target;

    PieceOutput(PieceFormat<P> format, DataOutputStream target) {
        this.format = format;
        this.target = target;
    }

    private interface Action {
        void run() throws IOException;
    }

    /// Spark's methods are Scala's and declare no exceptions.
    private PieceOutput<P> unchecked(Action action) {
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
        return unchecked(() -> format.write((P) value, target));
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
