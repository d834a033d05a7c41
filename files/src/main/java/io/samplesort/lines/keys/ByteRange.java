package io.samplesort.lines.keys;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Bytes that may be too many to hold at once. They are read in pieces from where they lie.
public interface ByteRange {
    /// Takes pieces one after another.
    @FunctionalInterface
    interface PieceSink {
        void accept(MemorySegment piece) throws IOException;
    }

    long byteSize();

    /// Fills a segment with the bytes from a place on. There must be enough of them.
    void read(long from, MemorySegment target) throws IOException;

    /// Hands on all bytes.
    ///
    /// @param window room for a piece, through which bytes go that do not lie in memory
    default void forEachPiece(MemorySegment window, PieceSink sink) throws IOException {
        long size = byteSize();
        for (long at = 0; at < size; ) {
            MemorySegment piece = window.asSlice(0, Math.min(window.byteSize(), size - at));
            read(at, piece);
            sink.accept(piece);
            at += piece.byteSize();
        }
    }

    /// Returns the bytes of a segment.
    static ByteRange of(MemorySegment segment) {
        return new ByteRange() {
            @Override
            public long byteSize() {
                return segment.byteSize();
            }

            @Override
            public void read(long from, MemorySegment target) {
                MemorySegment.copy(segment, from, target, 0, target.byteSize());
            }

            @Override
            public void forEachPiece(MemorySegment window, PieceSink sink) throws IOException {
                if (segment.byteSize() > 0) {
                    sink.accept(segment);
                }
            }
        };
    }

    /// Returns these bytes followed by others.
    default ByteRange followedBy(ByteRange next) {
        ByteRange first = this;
        return new ByteRange() {
            @Override
            public long byteSize() {
                return first.byteSize() + next.byteSize();
            }

            @Override
            public void read(long from, MemorySegment target) throws IOException {
                long ofFirst = Math.clamp(first.byteSize() - from, 0, target.byteSize());
                if (ofFirst > 0) {
                    first.read(from, target.asSlice(0, ofFirst));
                }
                if (ofFirst < target.byteSize()) {
                    next.read(from + ofFirst - first.byteSize(), target.asSlice(ofFirst));
                }
            }
        };
    }

    /// Returns all bytes but the last one.
    default ByteRange withoutLast() {
        ByteRange whole = this;
        return new ByteRange() {
            @Override
            public long byteSize() {
                return whole.byteSize() - 1;
            }

            @Override
            public void read(long from, MemorySegment target) throws IOException {
                whole.read(from, target);
            }
        };
    }
}
