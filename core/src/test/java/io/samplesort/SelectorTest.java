package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Selections from arrays of every type, the rule of quantiles, and what a selector refuses.
class SelectorTest {
    private static final int COUNT = 20_000;

    static List<Class<?>> types() {
        return ArrayCase.TYPES;
    }

    @ParameterizedTest
    @MethodSource("types")
    void arraysOfEveryType(Class<?> type) throws Exception {
        ArrayCase keys = new ArrayCase(type, COUNT, 3);
        Class<?> array = type.arrayType();
        ElementType element = NumberArrays.type(keys.array());
        for (Order order : keys.orders()) {
            int[] expected = keys.argsort(0, COUNT, order);
            try (Selector selector = SampleSort.onCpu().order(order).buildSelector(element)) {
                for (int k : new int[] {0, 77, COUNT + 1}) {
                    int some = Math.min(k, COUNT);
                    int[] last = Arrays.copyOfRange(expected, COUNT - some, COUNT);
                    assertHolds(keys, call(selector, "first", array, k), Arrays.copyOf(expected, some));
                    assertHolds(keys, call(selector, "last", array, k), last);
                    assertThat((int[]) call(selector, "argfirst", array, k)).isEqualTo(Arrays.copyOf(expected, some));
                    assertThat((int[]) call(selector, "arglast", array, k)).isEqualTo(last);
                }
                Object input = keys.array();
                assertThat(call(selector, "nth", array, 1234)).isEqualTo(Array.get(input, expected[1234]));
                assertThat(Selector.class.getMethod("median", array).invoke(selector, input))
                        .isEqualTo(Array.get(input, expected[COUNT / 2 - 1]));
                assertHolds(
                        keys,
                        Selector.class
                                .getMethod("quantiles", array, double[].class)
                                .invoke(selector, input, new double[] {0.9, 0.001}),
                        new int[] {expected[18_000 - 1], expected[20 - 1]});
            }
        }
    }

    private static Object call(Selector selector, String method, Class<?> array, int k) throws Exception {
        Object input = new ArrayCase(array.getComponentType(), COUNT, 3).array();
        return Selector.class.getMethod(method, array, int.class).invoke(selector, input, k);
    }

    private static void assertHolds(ArrayCase keys, Object actual, int[] indexes) {
        Object before = keys.array();
        Object expected = Array.newInstance(keys.type(), indexes.length);
        for (int i = 0; i < indexes.length; i++) {
            Array.set(expected, i, Array.get(before, indexes[i]));
        }
        assertThat(actual).isEqualTo(expected);
    }

    @Test
    void recordsInAnArrayOfBytes() {
        ElementType pair = ElementType.of(
                MemoryLayout.structLayout(ValueLayout.JAVA_BYTE.withName("a"), ValueLayout.JAVA_BYTE.withName("b")));
        byte[] records = {3, 0, 1, 1, 2, 2, 1, 3};
        try (Selector selector = SampleSort.onCpu().order(Order.by("a")).buildSelector(pair)) {
            assertThat(selector.first(records, 3)).containsExactly(1, 1, 1, 3, 2, 2);
            assertThat(selector.arglast(records, 2)).containsExactly(2, 0);
            assertThat(selector.quantiles(records, 0.5)).containsExactly(1, 3);
            assertThatThrownBy(() -> selector.nth(records, 0)).hasMessageContaining("was given byte[]");
        }
    }

    @Test
    void oneShots() {
        int[] ints = new Random(4).ints(COUNT).toArray();
        long[] longs = new Random(5).longs(COUNT).toArray();
        double[] doubles = new Random(6).doubles(COUNT).toArray();
        float[] floats = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            floats[i] = (float) doubles[i];
        }
        int[] sortedInts = ints.clone();
        long[] sortedLongs = longs.clone();
        double[] sortedDoubles = doubles.clone();
        float[] sortedFloats = floats.clone();
        Arrays.sort(sortedInts);
        Arrays.sort(sortedLongs);
        Arrays.sort(sortedDoubles);
        Arrays.sort(sortedFloats);
        assertThat(SampleSort.first(ints, 10)).isEqualTo(Arrays.copyOf(sortedInts, 10));
        assertThat(SampleSort.first(longs, 10)).isEqualTo(Arrays.copyOf(sortedLongs, 10));
        assertThat(SampleSort.first(floats, 10)).isEqualTo(Arrays.copyOf(sortedFloats, 10));
        assertThat(SampleSort.first(doubles, 10)).isEqualTo(Arrays.copyOf(sortedDoubles, 10));
        assertThat(SampleSort.last(ints, 10)).isEqualTo(Arrays.copyOfRange(sortedInts, COUNT - 10, COUNT));
        assertThat(SampleSort.last(longs, 10)).isEqualTo(Arrays.copyOfRange(sortedLongs, COUNT - 10, COUNT));
        assertThat(SampleSort.last(floats, 10)).isEqualTo(Arrays.copyOfRange(sortedFloats, COUNT - 10, COUNT));
        assertThat(SampleSort.last(doubles, 10)).isEqualTo(Arrays.copyOfRange(sortedDoubles, COUNT - 10, COUNT));
        assertThat(SampleSort.median(ints)).isEqualTo(sortedInts[COUNT / 2 - 1]);
        assertThat(SampleSort.median(longs)).isEqualTo(sortedLongs[COUNT / 2 - 1]);
        assertThat(SampleSort.median(floats)).isEqualTo(sortedFloats[COUNT / 2 - 1]);
        assertThat(SampleSort.median(doubles)).isEqualTo(sortedDoubles[COUNT / 2 - 1]);
        assertThat(SampleSort.quantiles(ints, 0, 1)).containsExactly(sortedInts[0], sortedInts[COUNT - 1]);
        assertThat(SampleSort.quantiles(longs, 0.1)).containsExactly(sortedLongs[COUNT / 10 - 1]);
        assertThat(SampleSort.quantiles(floats, 0.1)).containsExactly(sortedFloats[COUNT / 10 - 1]);
        assertThat(SampleSort.quantiles(doubles)).isEmpty();
    }

    @Test
    void theNearestRankOfAQuantile() {
        // 0.07 · 100 is more than 7 in binary, and the smallest key with at least 7 keys not after it has rank 6.
        assertThat(Ranks.ofQuantile(0.07, 100)).isEqualTo(6);
        assertThat(Ranks.ofQuantile(0, 100)).isZero();
        assertThat(Ranks.ofQuantile(1e-9, 100)).isZero();
        assertThat(Ranks.ofQuantile(1, 100)).isEqualTo(99);
        assertThat(Ranks.ofQuantile(0.5, 5)).isEqualTo(2);
        assertThat(Ranks.ofQuantile(0.5, 4)).isEqualTo(1);
        assertThat(Ranks.ofQuantile(1.0 / 3, 3)).isZero();
        assertThatThrownBy(() -> Ranks.ofQuantile(Double.NaN, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be from 0 to 1");
        assertThatThrownBy(() -> Ranks.ofQuantile(1.01, 4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatASelectorRefuses() {
        long[] keys = {3, 1, 2};
        MemorySegment segment = MemorySegment.ofArray(keys);
        try (Selector selector = SampleSort.onCpu().buildSelector(ElementType.LONG);
                Selector pairs = SampleSort.onCpu().payload(ElementType.INT).buildSelector(ElementType.LONG)) {
            assertThatThrownBy(() -> selector.first(keys, -1)).hasMessageContaining("must not be negative");
            assertThatThrownBy(() -> selector.first(new int[1], 1)).hasMessageContaining("is for long keys");
            assertThatThrownBy(() -> selector.nth(keys, 3)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> selector.median(new long[0])).hasMessageContaining("at least one element");
            assertThatThrownBy(() -> selector.first(segment, 2, MemorySegment.ofArray(new long[3])))
                    .hasMessageContaining("room for 3")
                    .hasMessageContaining("2 are wanted");
            assertThatThrownBy(() -> selector.first(segment, 1, segment.asSlice(8, 8)))
                    .hasMessageContaining("overlap");
            assertThatThrownBy(() -> selector.argfirst(segment, 2, MemorySegment.ofArray(new int[1])))
                    .hasMessageContaining("ints or longs");
            // The bytes of that many longs do not fit a long.
            assertThatThrownBy(() -> selector.argfirst(segment, 1L << 61, MemorySegment.ofArray(new long[0])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("as many longs");
            assertThatThrownBy(() -> selector.first(
                            segment, 1, MemorySegment.ofArray(new long[1]).asReadOnly()))
                    .hasMessageContaining("read-only");
            assertThatThrownBy(() -> pairs.first(keys, 1)).hasMessageContaining("payloads");
            assertThatThrownBy(() -> pairs.argfirst(keys, 1)).hasMessageContaining("payload");
            assertThatThrownBy(() -> pairs.first(
                            segment,
                            List.of(MemorySegment.ofArray(new int[2])),
                            1,
                            MemorySegment.ofArray(new long[1]),
                            List.of(MemorySegment.ofArray(new int[1]))))
                    .hasMessageContaining("as many payloads as keys");
        }
        assertThat(keys).containsExactly(3, 1, 2);
        assertThatThrownBy(() -> SampleSort.onCpu().inPlace().buildSelector(ElementType.LONG))
                .hasMessageContaining("never changes its input");
        assertThatThrownBy(() -> SampleSort.onGpus().buildSelector(ElementType.LONG))
                .hasMessageContaining("name one");
        Selector closed = SampleSort.onCpu().buildSelector(ElementType.LONG);
        closed.close();
        assertThatThrownBy(() -> closed.first(keys, 1)).hasMessageContaining("closed");
    }

    @Test
    void confinedMemoryIsReadByItsThread() {
        long[] keys = new Random(9).longs(200_000).toArray();
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        long[] first = new long[5];
        Order custom = Order.custom(
                "a < b", (a, b) -> Long.compare(a.get(ValueLayout.JAVA_LONG, 0), b.get(ValueLayout.JAVA_LONG, 0)));
        for (Order order : List.of(Order.natural(), custom)) {
            try (Arena arena = Arena.ofConfined();
                    Selector selector = SampleSort.onCpu().order(order).buildSelector(ElementType.LONG)) {
                MemorySegment confined = arena.allocateFrom(ValueLayout.JAVA_LONG, keys);
                selector.first(confined, 5, MemorySegment.ofArray(first));
                assertThat(first).isEqualTo(Arrays.copyOf(sorted, 5));
            }
        }
    }

    /// Messages name the selector, and the method that builds one.
    @Test
    void messagesAreThoseOfASelector() {
        MemorySegment two = MemorySegment.ofArray(new int[2]);
        try (Selector selector = SampleSort.onCpu().buildSelector(ElementType.INT);
                Selector pairs = SampleSort.onCpu().payload(ElementType.INT).buildSelector(ElementType.INT)) {
            assertThatThrownBy(() -> selector.first(new long[3], 1))
                    .hasMessage("this selector is for int keys and was given long[]: build it with"
                            + " buildSelector(ElementType.LONG)");
            assertThatThrownBy(() -> pairs.first(new int[3], 1))
                    .hasMessageContaining("this selector is for keys with payloads of types [int]");
            assertThatThrownBy(() -> pairs.argfirst(new int[3], 1))
                    .hasMessageContaining("argfirst is for keys alone: build a selector without payload(…)");
            assertThatThrownBy(() -> selector.first(two, 1, two.asSlice(0, 4).asReadOnly()))
                    .hasMessage("the segment of the target is read-only and cannot be written: give another one");
            MemorySegment other = MemorySegment.ofArray(new int[1]);
            assertThatThrownBy(
                            () -> pairs.first(two, List.of(two), 1, other, List.of(MemorySegment.ofArray(new int[3]))))
                    .hasMessage("the target of payload 0 has room for 3 of type int, and 1 are wanted: give one with"
                            + " room for exactly as many");
        }
        Selector closed = SampleSort.onCpu().buildSelector(ElementType.INT);
        closed.close();
        assertThatThrownBy(() -> closed.first(new int[1], 1)).hasMessage("this selector is closed");
        try (Selector cancelled = SampleSort.onCpu()
                .listener(new SortListener() {
                    @Override
                    public boolean isCancelled() {
                        return true;
                    }
                })
                .buildSelector(ElementType.INT)) {
            assertThatThrownBy(() -> cancelled.first(new int[3], 1))
                    .hasMessage("the listener has cancelled the selection among 3 elements: the input is as it was");
        }
    }
}
