package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.OrderCase;
import io.samplesort.OrderCase.Direction;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.Order;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Files come in the order that [OrderCase] writes down, sorted at once and in parts, as everything in memory does.
class FileOrderTest {
    private static final int ROWS = 20_000;
    private static final long AT_ONCE = 64 << 20;
    private static final long IN_PARTS = 200_000;
    private static final ElementType STRUCT = ElementType.of(MemoryLayout.structLayout(
            ValueLayout.JAVA_DOUBLE.withName("key"),
            ValueLayout.JAVA_INT.withName("row"),
            ValueLayout.JAVA_BOOLEAN.withName("valid"),
            MemoryLayout.paddingLayout(3)));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void doubles(Direction direction) throws IOException {
        OrderCase rows = OrderCase.of(ROWS, OrderCase.DOUBLES.length, false, direction);
        MemorySegment inOrder = MemorySegment.ofArray(OrderCase.DOUBLES);
        Order order = direction.isReversed() ? Order.natural().reversed() : Order.natural();
        Path keys = folder.resolve("keys");
        Path permutation = folder.resolve("permutation");
        for (long memory : new long[] {AT_ONCE, IN_PARTS}) {
            Files.write(keys, bytes(rows.keys(inOrder, Double.BYTES)));
            try (Sorter sorter = SampleSort.onCpu().cpuThreads(1).order(order).build(ElementType.DOUBLE)) {
                FileSort.with(sorter).memory(memory).argsort(keys, permutation);
                FileSort.with(sorter).memory(memory).sort(keys);
            }
            long[] indexes = Arrays.stream(rows.expected()).asLongStream().toArray();
            assertThat(Files.readAllBytes(permutation)).isEqualTo(bytes(MemorySegment.ofArray(indexes)));
            int[] sorted =
                    Arrays.stream(rows.expected()).map(row -> rows.ranks()[row]).toArray();
            assertThat(Files.readAllBytes(keys))
                    .isEqualTo(bytes(new OrderCase(sorted, direction).keys(inOrder, Double.BYTES)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void structsWithNulls(Direction direction) throws IOException {
        OrderCase rows = OrderCase.of(ROWS, OrderCase.DOUBLES.length, true, direction);
        MemorySegment keys = rows.keys(MemorySegment.ofArray(OrderCase.DOUBLES), Double.BYTES);
        MemorySegment structs = MemorySegment.ofArray(new long[2 * ROWS]);
        for (int row = 0; row < ROWS; row++) {
            MemorySegment.copy(keys, 8L * row, structs, 16L * row, Double.BYTES);
            structs.set(ValueLayout.JAVA_INT, 16L * row + 8, row);
            structs.set(ValueLayout.JAVA_BOOLEAN, 16L * row + 12, rows.ranks()[row] != OrderCase.NULL);
        }
        FieldOrder order = direction.of(
                Order.by("key").nullsLast("valid"),
                FieldOrder::reversed,
                plain -> plain.nullsFirst("valid"),
                plain -> plain.nullsLast("valid"));
        for (long memory : new long[] {AT_ONCE, 2 * IN_PARTS}) {
            Path file = Files.write(folder.resolve("structs"), bytes(structs));
            try (Sorter sorter =
                    SampleSort.onCpu().cpuThreads(1).order(order).stable().build(STRUCT)) {
                FileSort.with(sorter).memory(memory).sort(file);
            }
            MemorySegment sorted = MemorySegment.ofArray(Files.readAllBytes(file));
            assertThat(IntStream.range(0, ROWS)
                            .map(i -> sorted.get(ValueLayout.JAVA_INT_UNALIGNED, 16L * i + 8))
                            .toArray())
                    .isEqualTo(rows.expected());
        }
    }

    @ParameterizedTest
    @EnumSource
    void keysOfLines(Direction direction) throws IOException {
        LineKey key = LineKey.fields(1, 1);
        stable(direction, OrderCase.STRINGS.size(), rank -> OrderCase.STRINGS.get(rank), key);
        stable(
                direction,
                OrderCase.LONGS.length,
                rank -> Long.toString(OrderCase.LONGS[rank]),
                key.as(LineKey.Kind.NUMERIC));
        int[] turn = new int[1];
        IntFunction<String> anyCase = rank -> {
            List<String> equal = OrderCase.FOLDED.get(rank);
            return equal.get(turn[0]++ % equal.size());
        };
        stable(direction, OrderCase.FOLDED.size(), anyCase, key.ignoringAsciiCase());
    }

    /// Lines with equal keys keep their order in both directions, whether the key is reversed or the whole order.
    private void stable(Direction direction, int distinct, IntFunction<String> keyOfRank, LineKey key)
            throws IOException {
        OrderCase rows = OrderCase.of(ROWS, distinct, false, direction);
        List<String> lines = IntStream.range(0, ROWS)
                .mapToObj(row -> keyOfRank.apply(rows.ranks()[row]) + "," + row)
                .toList();
        List<String> expected =
                Arrays.stream(rows.expected()).mapToObj(lines::get).toList();
        LineOrder order = by(key).stable();
        check(lines, direction.isReversed() ? order.reversed() : order, expected);
        check(lines, by(direction.isReversed() ? key.reversed() : key).stable(), expected);
    }

    private static LineOrder by(LineKey key) {
        return LineOrder.by(key).separatedBy(',');
    }

    /// Whole lines decide where keys do not; the order turns both round, and each can be turned round alone.
    @ParameterizedTest
    @EnumSource
    void wholeLines(Direction direction) throws IOException {
        OrderCase rows = OrderCase.of(ROWS, OrderCase.LONGS.length, false, direction);
        List<String> lines = IntStream.range(0, ROWS)
                .mapToObj(row -> OrderCase.LONGS[rows.ranks()[row]] + "," + row % 100)
                .toList();
        List<Integer> numbers = IntStream.range(0, ROWS).boxed().toList();
        Comparator<Integer> byKey = Comparator.comparing(row -> rows.ranks()[row]);
        Comparator<Integer> byLine = Comparator.comparing(lines::get);
        LineOrder order = by(LineKey.fields(1, 1).as(LineKey.Kind.NUMERIC));
        UnaryOperator<LineOrder> directed = o -> direction.isReversed() ? o.reversed() : o;
        Comparator<Integer> both = byKey.thenComparing(byLine);
        Comparator<Integer> mixed = byKey.thenComparing(byLine.reversed());
        for (boolean isMixed : new boolean[] {false, true}) {
            Comparator<Integer> comparator = isMixed ? mixed : both;
            List<String> expected = numbers.stream()
                    .sorted(direction.isReversed() ? comparator.reversed() : comparator)
                    .map(lines::get)
                    .toList();
            check(lines, directed.apply(isMixed ? order.lastResortReversed() : order), expected);
        }
        check(
                lines,
                directed.apply(LineOrder.bytes()),
                lines.stream()
                        .sorted(direction.isReversed() ? Comparator.reverseOrder() : Comparator.naturalOrder())
                        .toList());
    }

    private void check(List<String> lines, LineOrder order, List<String> expected) throws IOException {
        Path in = Files.write(folder.resolve("in"), lines);
        Path out = folder.resolve("out");
        for (long memory : new long[] {AT_ONCE, IN_PARTS}) {
            LineSort.with(SampleSort.onCpu().cpuThreads(1), order)
                    .memory(memory)
                    .sort(List.of(in), out);
            assertThat(Files.readAllLines(out)).as("%s", order).isEqualTo(expected);
        }
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}
