package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.DistinctStrings;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What every engine promises of strings: the very permutation of the JDK's stable sort, whatever the strings, wherever
/// they lie.
public abstract class StringContract {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    /// A builder for the engine under test.
    protected abstract SorterBuilder builder();

    /// Sizes from none to several passes.
    protected abstract int[] sizes();

    /// Returns each case in one of the orders, in turn.
    static Stream<Arguments> casesInTurn() {
        List<StringOrder> orders = orders();
        return Stream.of(StringCase.values())
                .map(input -> Arguments.of(input, orders.get(input.ordinal() % orders.size())));
    }

    static Stream<Arguments> casesAndOrders() {
        return Stream.of(StringCase.values())
                .flatMap(input -> orders().stream().map(order -> Arguments.of(input, order)));
    }

    static List<StringOrder> orders() {
        StringOrder bytes = StringOrder.bytes();
        return List.of(
                bytes,
                bytes.reversed(),
                bytes.ignoringAsciiCase(),
                bytes.ignoringAsciiCase().reversed());
    }

    /// Returns the stable order of strings, by the JDK alone.
    protected static int[] expected(byte[][] strings, StringOrder order) {
        byte[][] keys = order.ignoresAsciiCase()
                ? Stream.of(strings).map(StringContract::capitals).toArray(byte[][]::new)
                : strings;
        Comparator<Integer> byBytes = (i, j) -> Arrays.compareUnsigned(keys[i], keys[j]);
        return IntStream.range(0, strings.length)
                .boxed()
                .sorted(order.isReversed() ? byBytes.reversed() : byBytes)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static byte[] capitals(byte[] string) {
        byte[] capitals = string.clone();
        for (int at = 0; at < capitals.length; at++) {
            if (capitals[at] >= 'a' && capitals[at] <= 'z') {
                capitals[at] -= 32;
            }
        }
        return capitals;
    }

    @ParameterizedTest
    @MethodSource("casesInTurn")
    void findsTheStableOrder(StringCase input, StringOrder order) {
        findsTheStableOrderOfEveryKind(input, order);
    }

    @ParameterizedTest
    @MethodSource("casesAndOrders")
    @Tag("exhaustive")
    void findsTheStableOrderOfEveryKind(StringCase input, StringOrder order) {
        try (StringSorter sorter = builder().buildStrings(order)) {
            for (int size : sizes()) {
                byte[][] strings = input.strings(new Random(SEED + size), size);
                int[] permutation = new int[size];
                sorter.argsort(Strings.copyOf(strings), permutation);
                assertThat(permutation).as("%d strings, seed %d", size, SEED).isEqualTo(expected(strings, order));
            }
        }
    }

    /// Where strings lie is forgotten before it matters what is in them, but for how they end.
    @ParameterizedTest
    @EnumSource
    void sortsStringsInMemoryOfEveryKind(StringMemory memory) {
        sortsStringsIn(memory, StringCase.NULS);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("exhaustive")
    void sortsMoreStringsInMemoryOfEveryKind(StringMemory memory) {
        sortsStringsIn(memory, StringCase.RANDOM, StringCase.ADDRESSES);
    }

    private void sortsStringsIn(StringMemory memory, StringCase... inputs) {
        StringOrder order = StringOrder.bytes();
        try (StringSorter sorter = builder().buildStrings(order);
                Arena arena = Arena.ofShared()) {
            for (StringCase input : inputs) {
                for (int size : sizes()) {
                    byte[][] strings = input.strings(new Random(SEED + size), size);
                    Strings view = memory.view(strings, arena);
                    byte[] before = view.bytes().toArray(ValueLayout.JAVA_BYTE);
                    int[] permutation = new int[size];
                    sorter.argsort(view, permutation);
                    assertThat(permutation)
                            .as("%s, %d strings, seed %d", input, size, SEED)
                            .isEqualTo(expected(strings, order));
                    assertThat(view.bytes().mismatch(MemorySegment.ofArray(before)))
                            .isEqualTo(-1);
                }
            }
        }
    }

    /// Strings of which few are equal, most are, all are or none is, by their first bytes or much later ones.
    @ParameterizedTest
    @EnumSource(names = {"PRINTABLE", "MANY_EQUAL", "ALL_EQUAL", "BEGINNINGS", "BOTH_CASES", "SORTED"})
    void givesResultsOfEveryShape(StringCase input) {
        givesResultsOfEveryShapeAndKind(input);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("exhaustive")
    void givesResultsOfEveryShapeAndKind(StringCase input) {
        StringOrder order = StringOrder.bytes().ignoringAsciiCase();
        try (StringSorter sorter = builder().buildStrings(order);
                Arena arena = Arena.ofShared()) {
            for (int size : sizes()) {
                byte[][] strings = input.strings(new Random(SEED + size), size);
                int[] expected = expected(strings, order);
                for (StringMemory memory : List.of(StringMemory.LINES, StringMemory.NATIVE_LATE_START)) {
                    Strings view = memory.view(strings, arena);
                    String what = "%s in %s, %d strings, seed %d".formatted(input, memory, size, SEED);
                    MemorySegment permutation = arena.allocate(size * 8L, 8);
                    sorter.argsort(view, permutation);
                    assertThat(permutation.toArray(ValueLayout.JAVA_LONG))
                            .as(what)
                            .isEqualTo(IntStream.of(expected).asLongStream().toArray());
                    assertSorted(sorter, view, expected, what);
                    assertPlaces(sorter, view, expected, what);
                    assertDistinct(sorter, view, expected, what);
                }
            }
        }
    }

    private static void assertSorted(StringSorter sorter, Strings view, int[] expected, String what) {
        Strings sorted = sorter.sorted(view);
        assertThat(sorted.count()).isEqualTo(view.count());
        assertThat(sorted.terminatorBytes()).isEqualTo(view.terminatorBytes());
        Strings wholeSorted = sorted.withoutLast(0);
        Strings whole = view.withoutLast(0);
        for (int i = 0; i < expected.length; i++) {
            assertThat(Arrays.equals(wholeSorted.get(i), whole.get(expected[i])))
                    .as("string %d of %s", i, what)
                    .isTrue();
        }
        assertThat(sorter.isSorted(sorted)).as(what).isTrue();
        boolean wasSorted = true;
        for (int i = 1; i < expected.length; i++) {
            wasSorted &= sorter.order().compare(view, i - 1, i) <= 0;
        }
        assertThat(sorter.isSorted(view)).as(what).isEqualTo(wasSorted);
    }

    private static void assertPlaces(StringSorter sorter, Strings view, int[] expected, String what) {
        long[] starts = new long[expected.length];
        long[] lengths = new long[expected.length];
        sorter.sortedPlaces(view, MemorySegment.ofArray(starts), MemorySegment.ofArray(lengths));
        for (int i = 0; i < expected.length; i++) {
            assertThat(starts[i]).as(what).isEqualTo(view.start(expected[i]));
            assertThat(starts[i] + lengths[i]).as(what).isEqualTo(view.end(expected[i]));
        }
    }

    private static void assertDistinct(StringSorter sorter, Strings view, int[] expected, String what) {
        List<Integer> indexes = new ArrayList<>();
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < expected.length; i++) {
            if (i == 0 || sorter.order().compare(view, expected[i - 1], expected[i]) != 0) {
                indexes.add(expected[i]);
                counts.add(0);
            }
            counts.set(counts.size() - 1, counts.getLast() + 1);
        }
        DistinctStrings distinct = sorter.distinct(view);
        assertThat(Arrays.stream(distinct.indexes()).boxed().toList()).as(what).isEqualTo(indexes);
        assertThat(Arrays.stream(distinct.counts()).boxed().toList()).as(what).isEqualTo(counts);
        assertThat(distinct.size()).isEqualTo(indexes.size());
    }
}
