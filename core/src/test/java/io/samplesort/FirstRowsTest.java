package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.KeyColumn;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The first and the last rows by key columns, and the first and the last strings, are those of the JDK's stable sort.
class FirstRowsTest {
    private static final long SEED = Long.getLong("tests.seed", 1);

    /// What is sorted as a whole, and what is selected by one thread and by several.
    private static final int[] SIZES = {0, 1, 500, 1 << 13, 40_000};

    private static int[] someOf(int size) {
        return new int[] {0, 1, 10, size / 100, size / 4, size / 2, size, size + 1};
    }

    private static int[] first(int[] sorted, int k) {
        return Arrays.copyOf(sorted, Math.min(k, sorted.length));
    }

    private static int[] last(int[] sorted, int k) {
        return Arrays.copyOfRange(sorted, sorted.length - Math.min(k, sorted.length), sorted.length);
    }

    /// Columns of every kind, with few distinct values, so that rows are tied and further columns decide.
    @Test
    void selectsRowsByColumns() {
        try (ColumnSorter sorter = SampleSort.onCpu().buildColumns()) {
            for (long seed = SEED; seed < SEED + 16; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                for (int size : SIZES) {
                    if (size > 1 << 13 && seed % 4 != SEED % 4) {
                        continue;
                    }
                    List<ColumnContract.Drawn> schema = new ArrayList<>();
                    int columns = random.nextInt(1, 5);
                    for (int i = 0; i < columns; i++) {
                        schema.add(ColumnContract.draw(random, size));
                    }
                    assertSelects(sorter, schema, size, seed);
                }
            }
        }
    }

    private static void assertSelects(ColumnSorter sorter, List<ColumnContract.Drawn> schema, int size, long seed) {
        int[] expected = IntStream.range(0, size)
                .boxed()
                .sorted(schema.stream()
                        .map(ColumnContract.Drawn::comparator)
                        .reduce(Comparator::thenComparing)
                        .orElseThrow())
                .mapToInt(i -> i)
                .toArray();
        KeyColumn[] keys = schema.stream().map(ColumnContract.Drawn::column).toArray(KeyColumn[]::new);
        String what = schema.stream().map(ColumnContract.Drawn::name).toList() + ", " + size + " rows, seed " + seed;
        for (int k : someOf(size)) {
            assertThat(sorter.argfirst(k, keys)).as("first %d, %s", k, what).isEqualTo(first(expected, k));
            assertThat(sorter.arglast(k, keys)).as("last %d, %s", k, what).isEqualTo(last(expected, k));
        }
    }

    static Stream<Arguments> casesInTurn() {
        return StringContract.casesInTurn();
    }

    static Stream<Arguments> casesAndOrders() {
        return StringContract.casesAndOrders();
    }

    @ParameterizedTest
    @MethodSource("casesAndOrders")
    @Tag("exhaustive")
    void selectsStringsInEveryOrder(StringCase input, StringOrder order) {
        selectsStrings(input, order);
    }

    @ParameterizedTest
    @MethodSource("casesInTurn")
    void selectsStrings(StringCase input, StringOrder order) {
        try (StringSorter sorter = SampleSort.onCpu().buildStrings(order);
                Arena arena = Arena.ofShared()) {
            for (int size : SIZES) {
                byte[][] strings = input.strings(new Random(SEED + size), size);
                int[] expected = StringContract.expected(strings, order);
                StringMemory memory = StringMemory.values()[size % StringMemory.values().length];
                Strings view = memory.view(strings, arena);
                for (int k : someOf(size)) {
                    String what = "%d of %s in %s, %d strings, seed %d".formatted(k, input, memory, size, SEED);
                    assertThat(sorter.argfirst(view, k)).as("first " + what).isEqualTo(first(expected, k));
                    assertThat(sorter.arglast(view, k)).as("last " + what).isEqualTo(last(expected, k));
                }
            }
        }
    }

    /// Strings that differ only after more bytes than are looked at one word after another.
    @Test
    void selectsStringsThatBeginAlike() {
        Random random = new Random(SEED);
        int size = 20_000;
        byte[][] strings = new byte[size][];
        for (int i = 0; i < size; i++) {
            // Each word leaves out a few strings, so that no long common begin is skipped at once.
            byte[] string = new byte[100];
            string[7 * random.nextInt(14)] = (byte) (i % 50 == 0 ? 1 : 0);
            string[99] = (byte) random.nextInt();
            strings[i] = string;
        }
        int[] expected = StringContract.expected(strings, StringOrder.bytes());
        try (StringSorter sorter = SampleSort.onCpu().buildStrings(StringOrder.bytes());
                ColumnSorter columns = SampleSort.onCpu().buildColumns()) {
            Strings view = Strings.copyOf(strings);
            KeyColumn column = KeyColumn.of(view);
            for (int k : new int[] {1, 100, 3000}) {
                assertThat(sorter.argfirst(view, k)).isEqualTo(first(expected, k));
                assertThat(sorter.arglast(view, k)).isEqualTo(last(expected, k));
                assertThat(columns.argfirst(k, column)).isEqualTo(first(expected, k));
                assertThat(columns.arglast(k, column, column)).isEqualTo(last(expected, k));
            }
        }
    }

    @Test
    void refusesNegativeNumbersAndColumnsThatDoNotFit() {
        try (StringSorter strings = SampleSort.onCpu().buildStrings(StringOrder.bytes());
                ColumnSorter columns = SampleSort.onCpu().buildColumns()) {
            assertThatThrownBy(() -> strings.argfirst(Strings.utf8(List.of("a")), -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the first -1 elements: the number must not be negative");
            assertThatThrownBy(() -> columns.arglast(-2, KeyColumn.of(new int[1])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the last -2 elements: the number must not be negative");
            assertThatThrownBy(() -> columns.argfirst(1, KeyColumn.of(new int[1]), KeyColumn.of(new int[2])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("[1, 2] rows");
            assertThatThrownBy(() -> columns.argfirst(1)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
