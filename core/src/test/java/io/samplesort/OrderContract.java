package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.OrderCase.Direction;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import io.samplesort.types.Order;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every form of input on one device comes in the one order that [OrderCase] writes down: directions, nulls, special
/// floating-point numbers, unsigned numbers, case and stability mean the same everywhere.
public abstract class OrderContract {
    protected abstract SorterBuilder builder();

    protected abstract int[] sizes();

    /// Returns whether numbers of this type, and structs with them, are sorted in this direction, too. Each takes a
    /// program of its own.
    protected boolean sortsElements(ElementType type, Direction direction) {
        return true;
    }

    /// Returns the order of the rows of one column, once for each place that columns may lie in.
    protected List<int[]> argsorts(ColumnSorter sorter, KeyColumn column) {
        return List.of(sorter.argsort(column));
    }

    /// Returns the order of strings, once for each place that they may lie in.
    protected List<int[]> argsorts(StringSorter sorter, Strings strings) {
        return List.of(sorter.argsort(strings));
    }

    /// An object, whose key its rank tells.
    private record Row(int row, int rank) {
        boolean isNull() {
            return rank == OrderCase.NULL;
        }
    }

    /// Numbers of one type in order.
    private record Numbers(ElementType type, MemorySegment inOrder, boolean areUnsigned) {
        int distinct() {
            return (int) inOrder.byteSize() / type.byteSize();
        }

        MemorySegment of(OrderCase rows) {
            return rows.keys(inOrder, type.byteSize());
        }
    }

    @ParameterizedTest
    @EnumSource
    void doubles(Direction direction) {
        numbers(new Numbers(ElementType.DOUBLE, MemorySegment.ofArray(OrderCase.DOUBLES), false), direction);
    }

    @ParameterizedTest
    @EnumSource
    void floats(Direction direction) {
        numbers(new Numbers(ElementType.FLOAT, MemorySegment.ofArray(OrderCase.FLOAT_BITS), false), direction);
    }

    @ParameterizedTest
    @EnumSource
    void signedNumbers(Direction direction) {
        numbers(new Numbers(ElementType.LONG, MemorySegment.ofArray(OrderCase.LONGS), false), direction);
    }

    @ParameterizedTest
    @EnumSource
    void unsignedNumbers(Direction direction) {
        numbers(new Numbers(ElementType.INT, MemorySegment.ofArray(OrderCase.UNSIGNED_INTS), true), direction);
    }

    private void numbers(Numbers numbers, Direction direction) {
        for (int size : sizes()) {
            columns(numbers, OrderCase.of(size, numbers.distinct(), true, direction));
            if (sortsElements(numbers.type, direction)) {
                elements(numbers, OrderCase.of(size, numbers.distinct(), false, direction));
                structs(numbers, OrderCase.of(size, numbers.distinct(), true, direction));
            }
        }
    }

    private void columns(Numbers numbers, OrderCase rows) {
        KeyColumn plain = KeyColumn.of(numbers.of(rows), numbers.type);
        checkColumn(numbers.areUnsigned ? plain.unsigned() : plain, rows);
    }

    private void checkColumn(KeyColumn plain, OrderCase rows) {
        KeyColumn directed = rows.direction()
                .of(plain, KeyColumn::reversed, KeyColumn::nullsFirst, KeyColumn::nullsLast)
                .validity(rows.validity());
        try (ColumnSorter sorter = builder().buildColumns()) {
            assertThat(argsorts(sorter, directed))
                    .allSatisfy(found -> assertThat(found).isEqualTo(rows.expected()));
        }
    }

    /// Keys alone, with payloads, and by index.
    private void elements(Numbers numbers, OrderCase rows) {
        Order plain = numbers.areUnsigned ? Order.unsigned() : Order.natural();
        Order order = rows.direction().isReversed() ? plain.reversed() : plain;
        int[] expected = rows.expected();
        MemorySegment unsorted = numbers.of(rows);
        MemorySegment keys = numbers.of(rows);
        int[] payloads = IntStream.range(0, expected.length).toArray();
        try (Sorter sorter = builder().order(order).build(numbers.type);
                Sorter pairs =
                        builder().order(order).stable().payload(ElementType.INT).build(numbers.type)) {
            assertThat(sorter.argsort(unsorted)).isEqualTo(expected);
            sorter.sort(keys);
            pairs.sort(unsorted, MemorySegment.ofArray(payloads));
        }
        int[] sortedRanks =
                Arrays.stream(expected).map(row -> rows.ranks()[row]).toArray();
        MemorySegment sorted = numbers.of(new OrderCase(sortedRanks, rows.direction()));
        assertThat(keys.mismatch(sorted)).as("keys alone").isEqualTo(-1);
        assertThat(unsorted.mismatch(sorted)).as("keys with payloads").isEqualTo(-1);
        assertThat(payloads).isEqualTo(expected);
    }

    private void structs(Numbers numbers, OrderCase rows) {
        int valueBytes = numbers.type.byteSize();
        ElementType type = ElementType.of(MemoryLayout.structLayout(
                ValueLayout.JAVA_INT.withName("row"),
                ValueLayout.JAVA_BOOLEAN.withName("valid"),
                MemoryLayout.paddingLayout(3),
                numbers.type.layout().withName("key"),
                MemoryLayout.sequenceLayout(2 * Long.BYTES - valueBytes, ValueLayout.JAVA_BYTE)
                        .withName("rest")));
        MemorySegment keys = numbers.of(rows);
        MemorySegment structs = Arena.ofAuto().allocate((long) rows.ranks().length * type.byteSize(), Long.BYTES);
        for (int row = 0; row < rows.ranks().length; row++) {
            long at = (long) row * type.byteSize();
            structs.set(ValueLayout.JAVA_INT, at, row);
            structs.set(ValueLayout.JAVA_BOOLEAN, at + Integer.BYTES, rows.ranks()[row] != OrderCase.NULL);
            MemorySegment.copy(keys, (long) row * valueBytes, structs, at + Long.BYTES, valueBytes);
        }
        FieldOrder byKey = Order.by("key");
        FieldOrder order = rows.direction()
                .of(
                        (numbers.areUnsigned ? byKey.unsigned() : byKey).nullsLast("valid"),
                        FieldOrder::reversed,
                        plain -> plain.nullsFirst("valid"),
                        plain -> plain.nullsLast("valid"));
        try (Sorter sorter = builder().order(order).stable().build(type)) {
            assertThat(sorter.argsort(structs)).isEqualTo(rows.expected());
            sorter.sort(structs);
        }
        int[] sorted = IntStream.range(0, rows.ranks().length)
                .map(i -> structs.get(ValueLayout.JAVA_INT, (long) i * type.byteSize()))
                .toArray();
        assertThat(sorted).isEqualTo(rows.expected());
    }

    /// Keys that are numbers have the order of numbers. Objects compare as they say themselves: a `Double` says that
    /// all NaNs are equal.
    @ParameterizedTest
    @EnumSource
    void objects(Direction direction) {
        for (int size : sizes()) {
            OrderCase doubles = OrderCase.of(size, OrderCase.DOUBLES.length, false, direction);
            OrderCase longs = OrderCase.of(size, OrderCase.LONGS.length, false, direction);
            numbers(Keys.comparingDouble(row -> OrderCase.DOUBLES[row.rank]), doubles);
            numbers(Keys.comparingLong(row -> OrderCase.LONGS[row.rank]), longs);
            nullable(row -> OrderCase.LONGS[row.rank], OrderCase.LONGS.length, size, direction);
            nullable(row -> OrderCase.STRINGS.get(row.rank), OrderCase.STRINGS.size(), size, direction);

            OrderCase boxed = OrderCase.of(size, OrderCase.DOUBLES.length, true, direction);
            Keys<Row> byBoxed = Keys.comparing((Row row) -> row.isNull() ? null : OrderCase.DOUBLES[row.rank]);
            objects(
                    directed(byBoxed, direction),
                    boxed,
                    boxed.withEqual(OrderCase.FIRST_NAN).expected());
        }
    }

    private void numbers(Keys<Row> plain, OrderCase rows) {
        objects(rows.direction().isReversed() ? plain.reversed() : plain, rows, rows.expected());
    }

    private <K extends Comparable<K>> void nullable(Function<Row, K> key, int distinct, int size, Direction direction) {
        OrderCase rows = OrderCase.of(size, distinct, true, direction);
        Keys<Row> plain = Keys.comparing((Row row) -> row.isNull() ? null : key.apply(row));
        objects(directed(plain, direction), rows, rows.expected());
    }

    private static Keys<Row> directed(Keys<Row> plain, Direction direction) {
        return direction.of(plain.nullsLast(), Keys::reversed, Keys::nullsFirst, Keys::nullsLast);
    }

    private void objects(Keys<Row> order, OrderCase rows, int[] expected) {
        Row[] objects = IntStream.range(0, rows.ranks().length)
                .mapToObj(row -> new Row(row, rows.ranks()[row]))
                .toArray(Row[]::new);
        Row[] byComparator = objects.clone();
        Arrays.sort(byComparator, order);
        assertThat(rows(byComparator)).as("as a comparator").isEqualTo(expected);
        try (ObjectSorter<Row> sorter = builder().buildObjects(order)) {
            assertThat(sorter.argsort(objects)).isEqualTo(expected);
            sorter.sort(objects);
        }
        assertThat(rows(objects)).isEqualTo(expected);
    }

    private static int[] rows(Row[] objects) {
        return Arrays.stream(objects).mapToInt(Row::row).toArray();
    }

    @ParameterizedTest
    @EnumSource
    void strings(Direction direction) {
        byte[][] inOrder = OrderCase.STRINGS.stream().map(OrderContract::utf8).toArray(byte[][]::new);
        for (int size : sizes()) {
            OrderCase nullable = OrderCase.of(size, inOrder.length, true, direction);
            checkColumn(KeyColumn.of(Strings.copyOf(pick(nullable, rank -> inOrder[rank]))), nullable);
            OrderCase rows = OrderCase.of(size, inOrder.length, false, direction);
            strings(StringOrder.bytes(), pick(rows, rank -> inOrder[rank]), rows);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stringsWithoutCase(Direction direction) {
        for (int size : sizes()) {
            OrderCase rows = OrderCase.of(size, OrderCase.FOLDED.size(), false, direction);
            SplittableRandom random = new SplittableRandom(size);
            strings(
                    StringOrder.bytes().ignoringAsciiCase(),
                    pick(rows, rank -> {
                        List<String> equal = OrderCase.FOLDED.get(rank);
                        return utf8(equal.get(random.nextInt(equal.size())));
                    }),
                    rows);
        }
    }

    private void strings(StringOrder plain, byte[][] strings, OrderCase rows) {
        StringOrder order = rows.direction().isReversed() ? plain.reversed() : plain;
        try (StringSorter sorter = builder().buildStrings(order)) {
            assertThat(argsorts(sorter, Strings.copyOf(strings)))
                    .allSatisfy(found -> assertThat(found).isEqualTo(rows.expected()));
        }
    }

    private static byte[][] pick(OrderCase rows, IntFunction<byte[]> key) {
        return Arrays.stream(rows.ranks())
                .mapToObj(rank -> rank == OrderCase.NULL ? utf8("what null rows hold") : key.apply(rank))
                .toArray(byte[][]::new);
    }

    private static byte[] utf8(String string) {
        return string.getBytes(StandardCharsets.UTF_8);
    }
}
