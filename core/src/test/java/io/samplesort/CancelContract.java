package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.reports.CancelledSort;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import io.samplesort.types.Order;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts on one device may be cancelled wherever they ask. Then the input is unchanged, or holds all its elements with
/// their payloads, as the exception says; and the sorter sorts again.
public abstract class CancelContract {
    private static final int FEW = 20;
    /// Sorts that take long have this part of the elements.
    private static final int PART = 10;

    protected abstract SorterBuilder builder();

    protected abstract int count();

    /// The keys of a test.
    private long[] random(int distinct) {
        return random(count(), distinct);
    }

    private static long[] random(int count, int distinct) {
        return new SplittableRandom(distinct).longs(count, 0, distinct).toArray();
    }

    private static ElementType type(String name) {
        return ElementType.values().stream()
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"byte", "short", "int", "long", "float", "double"})
    void numbers(String name) {
        ElementType type = type(name);
        for (int distinct : new int[] {FEW, Integer.MAX_VALUE}) {
            sortPairs(builder().build(type), type, random(distinct));
        }
    }

    @Test
    void numbersInTwoRuns() {
        long[] keys = random(Integer.MAX_VALUE);
        Arrays.sort(keys, 0, count() / 3);
        Arrays.sort(keys, count() / 3, count());
        sortPairs(builder().build(ElementType.LONG), ElementType.LONG, keys);
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "int", "long"})
    void pairs(String payload) {
        for (int distinct : new int[] {FEW, Integer.MAX_VALUE}) {
            sortPairs(builder().payload(type(payload)).build(ElementType.LONG), ElementType.LONG, random(distinct));
        }
    }

    @Test
    void stablePairs() {
        for (int distinct : new int[] {FEW, Integer.MAX_VALUE}) {
            sortPairs(
                    builder().stable().payload(ElementType.INT).build(ElementType.LONG),
                    ElementType.LONG,
                    random(distinct));
        }
    }

    @Test
    void elementsWithManyPayloads() {
        ElementType[] many = Collections.nCopies(33, ElementType.LONG).toArray(new ElementType[0]);
        sortPairs(builder().payloads(many).build(ElementType.INT), ElementType.INT, random(count() / PART, count()));
    }

    /// Sorts keys whose payloads, if there are any, are their indexes.
    private void sortPairs(Sorter sorter, ElementType type, long[] keys) {
        MemorySegment source = segment(keys, type);
        List<ElementType> types = sorter.payloadTypes();
        MemorySegment unsorted = segment(keys, type);
        MemorySegment[] payloads = types.stream()
                .map(payload -> segment(LongStream.range(0, keys.length).toArray(), payload))
                .toArray(MemorySegment[]::new);
        MemorySegment[] sorted = types.stream()
                .map(payload -> MemorySegment.ofArray(new byte[payload.byteSize() * keys.length]))
                .toArray(MemorySegment[]::new);
        Consumer<Boolean> check = isUnchanged -> {
            long[] found = longs(unsorted, type);
            long[] expected = longs(source, type);
            if (isUnchanged) {
                assertSame(found, expected);
            }
            for (int i = 0; i < sorted.length; i++) {
                checkPayload(found, expected, longs(sorted[i], types.get(i)), types.get(i));
            }
            Arrays.sort(found);
            Arrays.sort(expected);
            assertSame(found, expected);
        };
        try (sorter) {
            int stops = CancelledSort.atManyPlaces(
                    keys.length,
                    () -> {
                        unsorted.copyFrom(source);
                        for (int i = 0; i < sorted.length; i++) {
                            sorted[i].copyFrom(payloads[i]);
                        }
                    },
                    () -> sorter.sort(unsorted, sorted),
                    check,
                    () -> {
                        check.accept(false);
                        assertThat(sorter.isSorted(unsorted)).isTrue();
                    });
            assertThat(stops).isPositive();
        }
    }

    /// Compares without the message of a hundred thousand numbers.
    private static void assertSame(long[] found, long[] expected) {
        assertThat(Arrays.mismatch(found, expected))
                .as("the first place that differs")
                .isEqualTo(-1);
    }

    /// Checks that each key has the payload that it had before.
    private static void checkPayload(long[] keys, long[] before, long[] payloads, ElementType type) {
        if (type.byteSize() >= Integer.BYTES) {
            for (int i = 0; i < keys.length; i++) {
                if (keys[i] != before[(int) payloads[i]]) {
                    throw new AssertionError("the payload of key " + i + " is that of another one");
                }
            }
        }
    }

    @Test
    void argsort() {
        long[] keys = random(Integer.MAX_VALUE);
        long[] source = keys.clone();
        int[] permutation = new int[count()];
        try (Sorter sorter = builder().build(ElementType.LONG)) {
            int[] expected = sorter.argsort(keys);
            sortUnchanged(
                    () -> sorter.argsort(MemorySegment.ofArray(keys), MemorySegment.ofArray(permutation)),
                    () -> assertThat(Arrays.equals(permutation, expected)).isTrue());
        }
        assertSame(keys, source);
    }

    @Test
    void sortedCopies() {
        long[] keys = random(Integer.MAX_VALUE);
        long[] source = keys.clone();
        long[] copy = new long[count()];
        try (Sorter sorter = builder().build(ElementType.LONG)) {
            sortUnchanged(
                    () -> sorter.sortedCopy(MemorySegment.ofArray(keys), MemorySegment.ofArray(copy)),
                    () -> assertThat(sorter.isSorted(MemorySegment.ofArray(copy)))
                            .isTrue());
        }
        assertSame(keys, source);
    }

    @Test
    void selections() {
        long[] keys = random(Integer.MAX_VALUE);
        long[] source = keys.clone();
        long[] first = new long[FEW];
        try (Selector selector = builder().buildSelector(ElementType.LONG)) {
            long[] expected = selector.first(keys, FEW);
            sortUnchanged(
                    () -> selector.first(MemorySegment.ofArray(keys), FEW, MemorySegment.ofArray(first)),
                    () -> assertThat(first).isEqualTo(expected));
        }
        assertSame(keys, source);
    }

    @Test
    void strings() {
        Strings strings = Strings.utf8(
                Arrays.stream(random(count() / 2)).mapToObj(key -> "key " + key).toList());
        int[] permutation = new int[count()];
        try (StringSorter sorter = builder().buildStrings(StringOrder.bytes())) {
            int[] expected = sorter.argsort(strings);
            sortUnchanged(
                    () -> sorter.argsort(strings, permutation),
                    () -> assertThat(Arrays.equals(permutation, expected)).isTrue());
        }
    }

    @Test
    void columns() {
        KeyColumn[] columns = {
            KeyColumn.of(random(FEW)), KeyColumn.of(random(Integer.MAX_VALUE)).reversed()
        };
        int[][] permutation = new int[1][];
        try (ColumnSorter sorter = builder().buildColumns()) {
            int[] expected = sorter.argsort(columns);
            sortUnchanged(
                    () -> permutation[0] = sorter.argsort(columns),
                    () -> assertThat(Arrays.equals(permutation[0], expected)).isTrue());
        }
    }

    @Test
    void objects() {
        sortObjects(Keys.comparingLong((Long key) -> key));
        sortObjects((one, other) -> Long.compare(one, other));
    }

    private void sortObjects(Comparator<Long> order) {
        Long[] source =
                Arrays.stream(random(count() / PART, Integer.MAX_VALUE)).boxed().toArray(Long[]::new);
        Long[] expected = source.clone();
        Arrays.sort(expected);
        Long[] objects = new Long[source.length];
        try (ObjectSorter<Long> sorter = builder().buildObjects(order)) {
            CancelledSort.atManyPlaces(
                    source.length,
                    () -> System.arraycopy(source, 0, objects, 0, source.length),
                    () -> sorter.sort(objects),
                    isUnchanged -> {
                        assertThat(isUnchanged).isTrue();
                        assertThat(Arrays.equals(objects, source)).isTrue();
                    },
                    () -> assertThat(Arrays.equals(objects, expected)).isTrue());
        }
    }

    private void sortUnchanged(Runnable sort, Runnable whenSorted) {
        int stops = CancelledSort.atManyPlaces(
                count(), () -> {}, sort, isUnchanged -> assertThat(isUnchanged).isTrue(), whenSorted);
        assertThat(stops).isPositive();
    }

    @Test
    void comparatorsOfTheUser() {
        sortPairs(
                builder()
                        .order(Order.custom(
                                "a < b", Comparator.comparingLong(element -> element.get(ValueLayout.JAVA_LONG, 0))))
                        .payload(ElementType.INT)
                        .build(ElementType.LONG),
                ElementType.LONG,
                random(count() / PART, Integer.MAX_VALUE));
    }

    /// Returns numbers as elements of a type.
    private static MemorySegment segment(long[] numbers, ElementType type) {
        MemorySegment segment = MemorySegment.ofArray(new long[numbers.length * type.byteSize() / Long.BYTES + 1])
                .asSlice(0, (long) numbers.length * type.byteSize());
        IntStream.range(0, numbers.length).forEach(i -> set(segment, type, i, numbers[i]));
        return segment;
    }

    private static void set(MemorySegment segment, ElementType type, int i, long number) {
        switch (type.byteSize()) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) number);
            case 2 -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, (short) number);
            case 4 ->
                segment.set(
                        ValueLayout.JAVA_INT_UNALIGNED,
                        4L * i,
                        type.equals(ElementType.FLOAT) ? Float.floatToRawIntBits(number - FEW / 2) : (int) number);
            default ->
                segment.set(
                        ValueLayout.JAVA_LONG_UNALIGNED,
                        8L * i,
                        type.equals(ElementType.DOUBLE) ? Double.doubleToRawLongBits(number - FEW / 2) : number);
        }
    }

    /// Returns the bits of elements.
    private static long[] longs(MemorySegment segment, ElementType type) {
        int bytes = type.byteSize();
        return LongStream.range(0, segment.byteSize() / bytes)
                .map(i -> switch (bytes) {
                    case 1 -> segment.get(ValueLayout.JAVA_BYTE, i);
                    case 2 -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i);
                    case 4 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i);
                    default -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i);
                })
                .toArray();
    }
}
