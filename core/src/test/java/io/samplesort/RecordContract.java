package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What every engine promises of records, custom orders, stability, payload columns and argsort: the same elements in
/// the order of the comparator, of stable sorts the very result of the JDK's stable sort.
public abstract class RecordContract {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int GUARD_BYTES = 64;

    /// A builder for the engine under test.
    protected abstract SorterBuilder builder();

    /// Sizes from none to several passes.
    protected abstract int[] sizes();

    /// Records that are moved themselves, with fields of most kinds, nulls and strings; the same with an order of one's
    /// own; and records that are sorted by index.
    static List<RecordCase> cases() {
        return RecordCase.named("all kinds of narrow fields", "custom, moved", "sort benchmark");
    }

    static List<RecordCase> otherCases() {
        return RecordCase.allBut(cases());
    }

    /// What keeps the order of equal elements is sorted by index: records of which the order takes some fields, with
    /// nulls, or a string, and records with an order of one's own.
    static List<RecordCase> stableCases() {
        return RecordCase.named("nulls first, strings reversed", "sort benchmark", "custom, by index");
    }

    static List<RecordCase> otherStableCases() {
        return RecordCase.allBut(stableCases());
    }

    @ParameterizedTest
    @MethodSource("otherCases")
    @Tag("exhaustive")
    void sortsOtherRecords(RecordCase records) {
        sortsRecords(records);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void sortsRecords(RecordCase records) {
        try (Sorter sorter = builder().order(records.order()).build(records.type());
                Arena arena = Arena.ofShared()) {
            for (int size : sizes()) {
                MemorySegment elements = guarded(arena, records.type(), size);
                records.fill(inner(elements), new Random(SEED + size));
                int[] order = records.stableOrder(inner(elements));
                byte[] expected =
                        RecordCase.gathered(inner(elements), records.type().byteSize(), order);
                List<String> multiset = multiset(inner(elements), records.type().byteSize());
                sorter.sort(inner(elements));
                String what = what(records, size);
                assertGuards(elements, what);
                assertThat(multiset(inner(elements), records.type().byteSize()))
                        .as("elements of %s", what)
                        .isEqualTo(multiset);
                assertThat(mismatch(records, inner(elements), MemorySegment.ofArray(expected)))
                        .as("first index that compares unlike the reference, %s", what)
                        .isEqualTo(-1);
                assertThat(sorter.isSorted(inner(elements))).as(what).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("otherStableCases")
    @Tag("exhaustive")
    void sortsOtherRecordsStablyWithPayloads(RecordCase records) {
        sortsStablyWithPayloads(records);
    }

    @ParameterizedTest
    @MethodSource("stableCases")
    void sortsStablyWithPayloads(RecordCase records) {
        ElementType odd = ElementType.of(MemoryLayout.structLayout(
                MemoryLayout.sequenceLayout(3, ValueLayout.JAVA_BYTE).withName("odd")));
        ElementType wide = ElementType.of(MemoryLayout.structLayout(
                MemoryLayout.sequenceLayout(3, ValueLayout.JAVA_LONG).withName("wide")));
        try (Sorter sorter = builder()
                        .order(records.order())
                        .payloads(odd, wide)
                        .stable()
                        .build(records.type());
                Arena arena = Arena.ofShared()) {
            for (int size : sizes()) {
                Random random = new Random(SEED + size);
                List<ElementType> types = List.of(records.type(), odd, wide);
                List<MemorySegment> columns = new ArrayList<>();
                List<byte[]> expected = new ArrayList<>();
                for (ElementType type : types) {
                    columns.add(guarded(arena, type, size));
                }
                records.fill(inner(columns.get(0)), random);
                int[] order = records.stableOrder(inner(columns.get(0)));
                for (int c = 0; c < types.size(); c++) {
                    if (c > 0) {
                        fillRandomly(inner(columns.get(c)), random);
                    }
                    expected.add(RecordCase.gathered(
                            inner(columns.get(c)), types.get(c).byteSize(), order));
                }
                sorter.sort(inner(columns.get(0)), inner(columns.get(1)), inner(columns.get(2)));
                for (int c = 0; c < types.size(); c++) {
                    String what = "column " + c + " of " + what(records, size);
                    assertGuards(columns.get(c), what);
                    assertThat(inner(columns.get(c)).toArray(ValueLayout.JAVA_BYTE))
                            .as(what)
                            .isEqualTo(expected.get(c));
                }
            }
        }
    }

    /// Of other records the stable sorts with payloads show that their keys are taken as they should be.
    @ParameterizedTest
    @MethodSource("stableCases")
    void findsTheOrder(RecordCase records) {
        try (Sorter sorter = builder().order(records.order()).build(records.type());
                Arena arena = Arena.ofShared()) {
            for (int size : sizes()) {
                MemorySegment elements =
                        arena.allocate((long) size * records.type().byteSize(), 64);
                records.fill(elements, new Random(SEED + size));
                byte[] before = elements.toArray(ValueLayout.JAVA_BYTE);
                int[] expected = records.stableOrder(elements);
                int[] permutation = sorter.argsort(elements);
                long[] longs = new long[size];
                sorter.argsort(elements, MemorySegment.ofArray(longs));
                assertThat(permutation).as(what(records, size)).isEqualTo(expected);
                assertThat(longs)
                        .as(what(records, size))
                        .isEqualTo(IntStream.of(expected).asLongStream().toArray());
                assertThat(elements.toArray(ValueLayout.JAVA_BYTE))
                        .as("input of %s", what(records, size))
                        .isEqualTo(before);
            }
        }
    }

    @Test
    void sortsIntoACopy() {
        RecordCase records = cases().getFirst();
        try (Sorter sorter = builder().order(records.order()).build(records.type());
                Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(500L * records.type().byteSize(), 16);
            MemorySegment target = arena.allocate(source.byteSize(), 16);
            records.fill(source, new Random(SEED));
            byte[] before = source.toArray(ValueLayout.JAVA_BYTE);
            sorter.sortedCopy(source.asReadOnly(), target);
            assertThat(source.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
            assertThat(sorter.isSorted(target)).as("seed %d", SEED).isTrue();
            assertThat(multiset(target, 16)).isEqualTo(multiset(source, 16));
            assertThatThrownBy(() -> sorter.sortedCopy(target, target.asSlice(16)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("both must have the same size");
            byte[] sorted = target.toArray(ValueLayout.JAVA_BYTE);
            sorter.close();
            assertThatThrownBy(() -> sorter.sortedCopy(source, target)).isInstanceOf(IllegalStateException.class);
            assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(sorted);
            assertThatThrownBy(() -> sorter.sortedCopy(target, target))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap");
        }
    }

    private static Order mixed() {
        Random random = new Random(SEED);
        return Order.custom(
                "(a.a * 0x9e3779b97f4a7c15ll ^ b.b * 0x2545f4914f6cdd1dll) & 1 << 20", (a, b) -> random.nextInt(3) - 1);
    }

    /// What says of equal elements that each is less, as users do who write `<=`, for elements that are moved, and what
    /// follows no rule, for elements that are sorted by index.
    static Stream<Arguments> noOrders() {
        return Stream.of(Arguments.of(Order.custom("true", (a, b) -> -1), false), Arguments.of(mixed(), true));
    }

    /// A stable sort asks the same order and then compares indexes, so two orders are enough for it.
    static Stream<Arguments> otherNoOrders() {
        Order cyclic = Order.custom("(a.a - b.a) % 3 == 1", (a, b) -> (int) (b.get(ValueLayout.JAVA_LONG, 0) % 3));
        return Stream.of(
                Arguments.of(Order.custom("false", (a, b) -> 1), false),
                Arguments.of(mixed(), false),
                Arguments.of(cyclic, false),
                Arguments.of(cyclic, true));
    }

    @ParameterizedTest
    @MethodSource("otherNoOrders")
    @Tag("exhaustive")
    void losesNothingByOtherOrdersThatAreNone(Order order, boolean isStable) {
        losesNothingByAnOrderThatIsNone(order, isStable);
    }

    @ParameterizedTest
    @MethodSource("noOrders")
    void losesNothingByAnOrderThatIsNone(Order order, boolean isStable) {
        ElementType type = ElementType.of(
                MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("a"), ValueLayout.JAVA_LONG.withName("b")));
        SorterBuilder builder = builder().order(order);
        try (Sorter sorter = (isStable ? builder.stable() : builder).build(type);
                Arena arena = Arena.ofShared()) {
            for (int size : sizes()) {
                MemorySegment elements = guarded(arena, type, size);
                fillRandomly(inner(elements), new Random(SEED + size));
                List<String> multiset = multiset(inner(elements), type.byteSize());
                sorter.sort(inner(elements));
                String what = order + ", " + size + " elements; replay with -Dtests.seed=" + SEED;
                assertGuards(elements, what);
                assertThat(multiset(inner(elements), type.byteSize()))
                        .as("elements of %s", what)
                        .isEqualTo(multiset);
            }
        }
    }

    /// Numbers that a GPU moves in their order, as they are as large as the payload, and others, with NaNs.
    static Stream<Arguments> numbers() {
        return Stream.of(
                Arguments.of(ElementType.INT, Order.natural()), Arguments.of(ElementType.DOUBLE, Order.natural()));
    }

    /// The other types in one direction each, mostly the one that no field of [RecordCase] has.
    static Stream<Arguments> otherNumbers() {
        return Stream.of(
                Arguments.of(ElementType.BYTE, Order.natural().reversed()),
                Arguments.of(ElementType.SHORT, Order.natural()),
                Arguments.of(ElementType.CHAR, Order.natural().reversed()),
                Arguments.of(ElementType.LONG, Order.natural().reversed()),
                Arguments.of(ElementType.FLOAT, Order.natural().reversed()));
    }

    @ParameterizedTest
    @MethodSource("otherNumbers")
    @Tag("exhaustive")
    void keepsTheOrderOfOtherEqualNumbers(ElementType type, Order order) {
        keepsTheOrderOfEqualNumbers(type, order);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void keepsTheOrderOfEqualNumbers(ElementType type, Order order) {
        RecordCase numbers = new RecordCase(type, order);
        try (Sorter sorter =
                        builder().order(order).payload(ElementType.INT).stable().build(type);
                Arena arena = Arena.ofShared()) {
            for (int size : sizes()) {
                MemorySegment keys = arena.allocate((long) size * type.byteSize(), 64);
                int[] payloads = IntStream.range(0, size).toArray();
                fillRandomly(keys, new Random(SEED + size));
                for (long at = 0; at + 8 <= keys.byteSize(); at += 24) {
                    keys.set(ValueLayout.JAVA_LONG_UNALIGNED, at, 0);
                }
                int[] expected = numbers.stableOrder(keys);
                sorter.sort(keys, MemorySegment.ofArray(payloads));
                assertThat(payloads).as(what(numbers, size)).isEqualTo(expected);
            }
        }
    }

    private static int mismatch(RecordCase records, MemorySegment elements, MemorySegment expected) {
        int bytes = records.type().byteSize();
        Comparator<MemorySegment> comparator = records.order().toComparator(records.type());
        MemorySegment aligned =
                Arena.ofAuto().allocate(Math.max(1, expected.byteSize()), 8).copyFrom(expected);
        for (long at = 0; at < elements.byteSize(); at += bytes) {
            if (comparator.compare(elements.asSlice(at, bytes), aligned.asSlice(at, bytes)) != 0) {
                return (int) (at / bytes);
            }
        }
        return -1;
    }

    private static List<String> multiset(MemorySegment elements, int bytes) {
        byte[] all = elements.toArray(ValueLayout.JAVA_BYTE);
        return IntStream.range(0, all.length / bytes)
                .mapToObj(i -> Arrays.toString(Arrays.copyOfRange(all, i * bytes, (i + 1) * bytes)))
                .sorted()
                .toList();
    }

    private static void fillRandomly(MemorySegment segment, Random random) {
        byte[] bytes = new byte[Math.toIntExact(segment.byteSize())];
        random.nextBytes(bytes);
        segment.copyFrom(MemorySegment.ofArray(bytes));
    }

    private static String what(RecordCase records, int size) {
        return records + ", " + size + " elements; replay with -Dtests.seed=" + SEED;
    }

    private static MemorySegment guarded(Arena arena, ElementType type, int size) {
        MemorySegment segment = arena.allocate((long) size * type.byteSize() + 2 * GUARD_BYTES, 64);
        return segment.fill((byte) 0x5a);
    }

    private static MemorySegment inner(MemorySegment guarded) {
        return guarded.asSlice(GUARD_BYTES, guarded.byteSize() - 2 * GUARD_BYTES);
    }

    private static void assertGuards(MemorySegment guarded, String what) {
        for (long i = 0; i < GUARD_BYTES; i++) {
            assertThat(guarded.get(ValueLayout.JAVA_BYTE, i))
                    .as("before " + what)
                    .isEqualTo((byte) 0x5a);
            assertThat(guarded.get(ValueLayout.JAVA_BYTE, guarded.byteSize() - 1 - i))
                    .as("after " + what)
                    .isEqualTo((byte) 0x5a);
        }
    }
}
