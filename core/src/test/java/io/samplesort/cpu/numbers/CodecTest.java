package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The CPU engine's twin of each order: decoded keys compare as the order's comparator says, and come back bit for bit.
class CodecTest {
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
                        .filter(order -> !(order instanceof NaturalOrder b
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
        NaturalOrder builtIn = (NaturalOrder) order;
        Lane lane = type.byteSize() < Long.BYTES
                ? new IntLane(CpuTuning.DEFAULT, IntCodec.forKeys(type, builtIn), 1)
                : new LongLane(CpuTuning.DEFAULT, LongCodec.forKeys(type, builtIn), 1);
        long[] decoded = new long[2];
        for (int i = 0; i < 2; i++) {
            MemorySegment key = i == 0 ? a : b;
            lane.reserve(1);
            lane.load(new Elements(key, type.byteSize(), null, 0), 0, 0, 1);
            decoded[i] = lane.key(0);
            MemorySegment back = MemorySegment.ofArray(new long[1]);
            lane.store(0, new Elements(back, type.byteSize(), null, 0), 0, 1);
            assertThat(back.asSlice(0, type.byteSize()).mismatch(key))
                    .as("round trip")
                    .isEqualTo(-1);
        }
        return Long.compare(decoded[0], decoded[1]);
    }
}
