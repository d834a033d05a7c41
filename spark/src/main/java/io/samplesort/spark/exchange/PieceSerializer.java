package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockType;
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

/// Writes pieces of runs to Spark's shuffle and reads them back: 16 bytes for each piece, then its arrays as they lie
/// in memory. All machines of a cluster must have the same byte order.
final class PieceSerializer<B> extends Serializer implements Serializable {
    private static final long serialVersionUID = 1;

    private final BlockType<B> type;

    PieceSerializer(BlockType<B> type) {
        this.type = type;
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
            return new PieceOutput<>(type, new DataOutputStream(target));
        }

        @Override
        public DeserializationStream deserializeStream(InputStream source) {
            return new PieceInput<>(type, new DataInputStream(source));
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
        return new UnsupportedOperationException("pieces of runs are written to streams of keys and values alone");
    }
}
