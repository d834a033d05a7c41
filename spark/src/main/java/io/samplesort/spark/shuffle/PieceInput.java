package io.samplesort.spark.shuffle;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.serializer.DeserializationStream;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/// Reads what [PieceOutput] has written.
final class PieceInput<P> extends DeserializationStream {
    private static final int END = -1;

    private final PieceFormat<P> format;
    private final DataInputStream source;

    PieceInput(PieceFormat<P> format, DataInputStream source) {
        this.format = format;
        this.source = source;
    }

    /// Returns all keys and values. The stream is closed after the last one.
    @Override
    public Iterator<Tuple2<Object, Object>> asKeyValueIterator() {
        return new AbstractIterator<>() {
            private int key;
            private boolean isKeyRead;
            private boolean isAtEnd;

            @Override
            public boolean hasNext() {
                if (!isKeyRead && !isAtEnd) {
                    readNextKey();
                }
                return isKeyRead;
            }

            private void readNextKey() {
                try {
                    // The end is between pieces. Streams of several blocks in a row are read as one.
                    int first = source.read();
                    if (first == END) {
                        isAtEnd = true;
                        source.close();
                        return;
                    }
                    key = first << 24 | source.readUnsignedByte() << 16 | source.readUnsignedShort();
                    isKeyRead = true;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public Tuple2<Object, Object> next() {
                if (!hasNext()) {
                    return Iterator.<Tuple2<Object, Object>>empty().next();
                }
                isKeyRead = false;
                return new Tuple2<>(key, readPiece());
            }
        };
    }

    private P readPiece() {
        try {
            return format.read(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public <T> T readObject(ClassTag<T> tag) {
        throw PieceSerializer.streamsAlone();
    }

    @Override
    public void close() {
        try {
            source.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
