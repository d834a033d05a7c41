package io.samplesort.spark.shuffle;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/// Writes pieces of a partition to Spark's shuffle and reads them back: 4 bytes for the key, which is the number of the
/// partition that a piece goes to, then the piece as its format has it.
///
/// @param <P> the type of the pieces
public final class PieceSerializer<P> extends Serializer implements Serializable {
    private static final long serialVersionUID = 1;

    private final PieceFormat<P> format;

    public PieceSerializer(PieceFormat<P> format) {
        this.format = format;
    }

    /// Nothing in the bytes of a piece depends on what was written before it, so Spark may move them.
    @Override
    public boolean supportsRelocationOfSerializedObjects() {
        return true;
    }

    @Override
    public SerializerInstance newInstance() {
        return new Instance();
    }

    private final class Instance extends SerializerInstance {
        @Override
        public SerializationStream serializeStream(OutputStream target) {
            return new PieceOutput<>(format, new DataOutputStream(target));
        }

        @Override
        public DeserializationStream deserializeStream(InputStream source) {
            return new PieceInput<>(format, new DataInputStream(source));
        }

        @Override
        public <T> ByteBuffer serialize(T value, ClassTag<T> tag) {
            throw streamsAlone();
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
            throw streamsAlone();
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
            throw streamsAlone();
        }
    }

    static UnsupportedOperationException streamsAlone() {
        return new UnsupportedOperationException("pieces are written to streams of keys and values alone");
    }
}
