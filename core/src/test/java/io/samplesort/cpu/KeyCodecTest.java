package io.samplesort.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ElementType;
import io.samplesort.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The CPU engine's twin of each order: decoded keys compare as the order's comparator says, and come back bit for bit.
class KeyCodecTest {
    private static final long[] EDGES = {
        0,
        1,
        -1,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE,
        Double.doubleToRawLongBits(Double.NaN),
        Double.doubleToRawLongBits(-0.0),
        Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
        Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
        0xffffffffffffffffL,
        0xfff0000000000001L,
        Float.floatToRawIntBits(Float.NaN),
        0xff800001L,
        0xffc00000L,
        Float.floatToRawIntBits(Float.NEGATIVE_INFINITY),
        Float.floatToRawIntBits(-0f),
        0x7f800000L
    };

    static Stream<Arguments> typesAndOrders() {
        return ElementType.values().stream()
                .flatMap(type -> Stream.of(
                                Order.natural(),
                                Order.unsigned(),
                                Order.natural().reversed(),
                                Order.unsigned().reversed())
                        .filter(order -> !(order instanceof Order.BuiltIn b
                                && b.isUnsigned()
                                && List.of(ElementType.FLOAT, ElementType.DOUBLE)
                                        .contains(type)))
                        .map(order -> Arguments.of(type, order)));
    }

    @ParameterizedTest
    @MethodSource("typesAndOrders")
    void decodedKeysCompareAsTheOrderSays(ElementType type, Order order) {
        SplittableRandom random = new SplittableRandom(9);
        Comparator<MemorySegment> comparator = order.toComparator(type);
        for (int i = 0; i < 20_000; i++) {
            long a = i % 3 == 0 ? random.nextLong() : EDGES[random.nextInt(EDGES.length)];
            long b = i % 5 == 0 ? random.nextLong() : EDGES[random.nextInt(EDGES.length)];
            MemorySegment keyA = MemorySegment.ofArray(new long[] {a}).asSlice(0, type.byteSize());
            MemorySegment keyB = MemorySegment.ofArray(new long[] {b}).asSlice(0, type.byteSize());
            int expected = Integer.signum(comparator.compare(keyA, keyB));
            int decoded = compareDecoded(type, order, keyA, keyB);
            if (expected != 0) {
                assertThat(decoded).as("%s, %s: %x and %x", type, order, a, b).isEqualTo(expected);
            } else if (keyA.mismatch(keyB) == -1) {
                assertThat(decoded).isZero();
            }
        }
    }

    private static int compareDecoded(ElementType type, Order order, MemorySegment a, MemorySegment b) {
        boolean isUnsigned = type == ElementType.CHAR || (order instanceof Order.BuiltIn o && o.isUnsigned());
        Column column = new Column(type, isUnsigned, KeyCodec.of(type, order));
        MemorySegment decoded = MemorySegment.ofArray(new long[2]);
        int decodedBytes = column.decodedBytes();
        for (int i = 0; i < 2; i++) {
            MemorySegment key = i == 0 ? a : b;
            Lane lane = column.newLane();
            lane.ensureCapacity(1);
            lane.load(key, 0, 1, true);
            lane.store(decoded, i, 0, 1, false);
            MemorySegment back = MemorySegment.ofArray(new long[1]);
            lane.store(back, 0, 0, 1, true);
            assertThat(back.asSlice(0, type.byteSize()).mismatch(key))
                    .as("round trip")
                    .isEqualTo(-1);
        }
        if (decodedBytes == Integer.BYTES) {
            int[] keys = new int[2];
            MemorySegment.ofArray(keys).copyFrom(decoded.asSlice(0, 8));
            return Integer.compare(keys[0], keys[1]);
        }
        return Long.compare(decoded.getAtIndex(ValueLayout.JAVA_LONG, 0), decoded.getAtIndex(ValueLayout.JAVA_LONG, 1));
    }
}
