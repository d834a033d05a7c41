package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// NaNs of different bits come in the order that [Order#natural] documents, whatever the size and the kind of sort.
class NanOrderTest {
    /// These are in order: no sign and ascending bits, then a sign and descending bits.
    private static final int[] FLOATS = {
        0x7f80_0001, 0x7fa0_0000, 0x7fc0_0000, 0x7fff_ffff, 0xffff_ffff, 0xffc0_0001, 0xff80_0001
    };

    private static final long[] DOUBLES = {
        0x7ff0_0000_0000_0001L,
        0x7ff8_0000_0000_0000L,
        0x7fff_ffff_ffff_ffffL,
        0xffff_ffff_ffff_ffffL,
        0xfff8_0000_0000_0001L,
        0xfff0_0000_0000_0001L
    };

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 50, 1000, 20_000, 100_000})
    void floatsInArrays(int count) {
        int[] bits = random(count);
        float[] keys = floats(bits);
        SampleSort.sort(keys);
        int[] expected = IntStream.of(bits)
                .boxed()
                .sorted(Comparator.comparingInt((Integer key) -> place(key.intValue()))
                        .thenComparing(Float::intBitsToFloat))
                .mapToInt(Integer::intValue)
                .toArray();
        assertThat(bits(keys)).isEqualTo(expected);
        try (Sorter ascending = SampleSort.onCpu().build(ElementType.FLOAT);
                Sorter descending =
                        SampleSort.onCpu().order(Order.natural().reversed()).build(ElementType.FLOAT)) {
            assertThat(ascending.isSorted(MemorySegment.ofArray(keys))).isTrue();
            float[] reversed = floats(bits);
            descending.sort(reversed);
            assertThat(descending.isSorted(MemorySegment.ofArray(reversed))).isTrue();
            for (int i = 0; i < count; i++) {
                assertThat(Float.floatToRawIntBits(reversed[i])).isEqualTo(expected[count - 1 - i]);
            }
            float[] ranged = floats(bits);
            ascending.sort(ranged, 1, count);
            assertThat(Float.floatToRawIntBits(ranged[0])).isEqualTo(bits[0]);
            assertThat(ascending.isSorted(MemorySegment.ofArray(ranged).asSlice(Float.BYTES)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 50, 1000, 20_000, 100_000})
    void everyKindOfSortAgrees(int count) {
        int[] bits = random(count);
        float[] expected = floats(bits);
        SampleSort.sort(expected);
        float[] withPayload = floats(bits);
        SampleSort.sort(withPayload, new int[count]);
        assertThat(bits(withPayload)).isEqualTo(bits(expected));
        int[] order = SampleSort.argsort(floats(bits));
        assertThat(IntStream.of(order).map(i -> bits[i]).toArray()).isEqualTo(bits(expected));
        ElementType struct = ElementType.of(MemoryLayout.structLayout(ValueLayout.JAVA_FLOAT.withName("x")));
        try (Arena arena = Arena.ofConfined();
                Sorter stable = SampleSort.onCpu().stable().build(ElementType.FLOAT);
                Sorter keys = SampleSort.onCpu().build(ElementType.FLOAT);
                Sorter records = SampleSort.onCpu().order(Order.by("x")).build(struct);
                Sorter custom = SampleSort.onCpu()
                        .order(Order.custom("a < b", Order.natural().toComparator(ElementType.FLOAT)))
                        .build(ElementType.FLOAT)) {
            for (Sorter sorter : List.of(stable, keys, records, custom)) {
                MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_FLOAT, floats(bits));
                sorter.sort(segment);
                assertThat(segment.toArray(ValueLayout.JAVA_INT)).isEqualTo(bits(expected));
                assertThat(sorter.isSorted(segment)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 50, 1000, 20_000, 100_000})
    void doublesInArrays(int count) {
        SplittableRandom random = new SplittableRandom(count);
        double[] keys = new double[count];
        for (int i = 0; i < count; i++) {
            keys[i] = random.nextInt(3) == 0
                    ? random.nextInt(-5, 5)
                    : Double.longBitsToDouble(DOUBLES[random.nextInt(DOUBLES.length)]);
        }
        SampleSort.sort(keys);
        for (int i = 1; i < count; i++) {
            assertThat(place(keys[i - 1])).isLessThanOrEqualTo(place(keys[i]));
            assertThat(Double.compare(keys[i - 1], keys[i])).isLessThanOrEqualTo(0);
        }
    }

    private static int[] random(int count) {
        SplittableRandom random = new SplittableRandom(count);
        return IntStream.range(0, count)
                .map(i -> random.nextInt(3) == 0
                        ? Float.floatToRawIntBits(random.nextInt(-5, 5))
                        : FLOATS[random.nextInt(FLOATS.length)])
                .toArray();
    }

    /// Returns the place among the NaNs; all numbers come before.
    private static int place(int bits) {
        return IntStream.range(0, FLOATS.length)
                .filter(i -> FLOATS[i] == bits)
                .findFirst()
                .orElse(-1);
    }

    private static int place(double key) {
        long bits = Double.doubleToRawLongBits(key);
        return IntStream.range(0, DOUBLES.length)
                .filter(i -> DOUBLES[i] == bits)
                .findFirst()
                .orElse(-1);
    }

    private static float[] floats(int[] bits) {
        float[] floats = new float[bits.length];
        MemorySegment.ofArray(floats).copyFrom(MemorySegment.ofArray(bits));
        return floats;
    }

    private static int[] bits(float[] floats) {
        return MemorySegment.ofArray(floats).toArray(ValueLayout.JAVA_INT);
    }
}
