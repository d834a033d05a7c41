package io.samplesort.cpu.numbers;

import io.samplesort.keys.OrderedBits;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Reads elements as longs whose signed order is the order of the sort, and writes them back. The mapping is one to
/// one.
///
/// A codec is not for use by two threads at once, since some elements pass through a buffer.
public sealed interface LongCodec {
    void load(Elements source, long from, long[] target, int at, int count);

    /// Returns whether decoded elements are the same as the elements.
    default boolean isIdentity() {
        return false;
    }

    /// Returns whether the elements are doubles that are sorted in ascending order.
    default boolean isOfDoubles() {
        return false;
    }

    /// Writes `count` longs. Afterwards `source` may be decoded or encoded.
    void store(long[] source, int at, Elements target, long to, int count);

    /// Returns the codec for keys of `type` alone.
    static LongCodec forKeys(ElementType type, NaturalOrder order) {
        if (type.byteSize() < Long.BYTES) {
            return new Widened(IntCodec.forKeys(type, order));
        }
        long mask = OrderedBits.flip(Long.SIZE, order.isUnsigned(), order.isReversed());
        return new Wide(Elements.Column.KEYS, type.equals(ElementType.DOUBLE), mask);
    }

    /// Returns the codec that carries payload of `byteSize` bytes unchanged.
    static LongCodec forPayload(int byteSize) {
        return byteSize < Long.BYTES
                ? new Widened(IntCodec.forPayload(byteSize))
                : new Wide(Elements.Column.PAYLOAD, false, 0);
    }

    /// Returns the codec for pairs of a key and a payload of at most 4 bytes each; the key is the upper half of the
    /// long.
    static LongCodec forPairs(ElementType key, NaturalOrder order, int payloadBytes) {
        return new Zipped(IntCodec.forKeys(key, order), IntCodec.forPayload(payloadBytes));
    }

    /// A column of 8-byte elements.
    final class Wide implements LongCodec {
        private final Elements.Column column;
        private final boolean isDouble;
        private final long mask;

        private Wide(Elements.Column column, boolean isDouble, long mask) {
            this.column = column;
            this.isDouble = isDouble;
            this.mask = mask;
        }

        @Override
        public void load(Elements source, long from, long[] target, int at, int count) {
            MemorySegment.copy(
                    source.column(column), ValueLayout.JAVA_LONG_UNALIGNED, from * Long.BYTES, target, at, count);
            if (isDouble) {
                for (int i = at; i < at + count; i++) {
                    target[i] = OrderedBits.ofDouble(target[i]) ^ mask;
                }
            } else if (mask != 0) {
                invert(target, at, count);
            }
        }

        @Override
        public void store(long[] source, int at, Elements target, long to, int count) {
            if (isDouble) {
                for (int i = at; i < at + count; i++) {
                    source[i] = OrderedBits.doubleBits(source[i] ^ mask);
                }
            } else if (mask != 0) {
                invert(source, at, count);
            }
            MemorySegment.copy(
                    source, at, target.column(column), ValueLayout.JAVA_LONG_UNALIGNED, to * Long.BYTES, count);
        }

        @Override
        public boolean isIdentity() {
            return !isDouble && mask == 0;
        }

        @Override
        public boolean isOfDoubles() {
            return isDouble && mask == 0;
        }

        private void invert(long[] values, int at, int count) {
            for (int i = at; i < at + count; i++) {
                values[i] ^= mask;
            }
        }
    }

    /// A column of narrower elements.
    final class Widened implements LongCodec {
        private final IntCodec codec;
        private final int[] stage = new int[1024];

        private Widened(IntCodec codec) {
            this.codec = codec;
        }

        @Override
        public void load(Elements source, long from, long[] target, int at, int count) {
            for (int done = 0; done < count; done += stage.length) {
                int size = Math.min(stage.length, count - done);
                codec.load(source, from + done, stage, 0, size);
                for (int i = 0; i < size; i++) {
                    target[at + done + i] = stage[i];
                }
            }
        }

        @Override
        public void store(long[] source, int at, Elements target, long to, int count) {
            for (int done = 0; done < count; done += stage.length) {
                int size = Math.min(stage.length, count - done);
                for (int i = 0; i < size; i++) {
                    stage[i] = (int) source[at + done + i];
                }
                codec.store(stage, 0, target, to + done, size);
            }
        }
    }

    /// Two columns of narrower elements.
    final class Zipped implements LongCodec {
        private final IntCodec keyCodec;
        private final IntCodec payloadCodec;
        private final int[] keys = new int[1024];
        private final int[] payload = new int[1024];

        private Zipped(IntCodec keyCodec, IntCodec payloadCodec) {
            this.keyCodec = keyCodec;
            this.payloadCodec = payloadCodec;
        }

        @Override
        public void load(Elements source, long from, long[] target, int at, int count) {
            for (int done = 0; done < count; done += keys.length) {
                int size = Math.min(keys.length, count - done);
                keyCodec.load(source, from + done, keys, 0, size);
                payloadCodec.load(source, from + done, payload, 0, size);
                for (int i = 0; i < size; i++) {
                    target[at + done + i] = (long) keys[i] << 32 | payload[i] & 0xffff_ffffL;
                }
            }
        }

        @Override
        public void store(long[] source, int at, Elements target, long to, int count) {
            for (int done = 0; done < count; done += keys.length) {
                int size = Math.min(keys.length, count - done);
                for (int i = 0; i < size; i++) {
                    long pair = source[at + done + i];
                    keys[i] = (int) (pair >> 32);
                    payload[i] = (int) pair;
                }
                keyCodec.store(keys, 0, target, to + done, size);
                payloadCodec.store(payload, 0, target, to + done, size);
            }
        }
    }
}
