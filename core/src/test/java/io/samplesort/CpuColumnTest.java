package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Key columns on the CPU, and what does not depend on the device.
class CpuColumnTest extends ColumnContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 100, 1000, 1 << 12, 50_000};
    }

    @Override
    protected int schemas() {
        return Integer.getInteger("tests.cases", 60);
    }

    @Test
    void ordersByAThenBDescendingNullsLastThenC() {
        int[] a = {2, 1, 1, 1, 2, 1};
        double[] b = {0.5, 7, 9, 0, 0.5, 0};
        byte[] validity = {0b010111};
        Strings c = Strings.utf8(List.of("y", "x", "x", "x", "x", "a"));
        assertThat(SampleSort.argsort(
                        KeyColumn.of(a),
                        KeyColumn.of(b).reversed().nullsLast().validity(MemorySegment.ofArray(validity)),
                        KeyColumn.of(c)))
                .containsExactly(2, 1, 5, 3, 4, 0);
    }

    /// Whole numbers in doubles, narrow ranges and constant columns take few bits, so a single sort is enough.
    @Test
    void narrowColumnsTakeOneSort() {
        int count = 10_000;
        SplittableRandom random = new SplittableRandom(1);
        double[] whole = random.ints(count, 0, 1000).asDoubleStream().toArray();
        long[] narrow = random.longs(count, 1L << 60, (1L << 60) + 1000).toArray();
        int[] constant = new int[count];
        KeyColumn[] keys = {KeyColumn.of(constant), KeyColumn.of(whole).reversed(), KeyColumn.of(narrow)};
        try (ColumnSorter sorter = builder().buildColumns()) {
            int[] permutation = new int[count];
            SortReport report = sorter.argsort(List.of(keys), MemorySegment.ofArray(permutation));
            assertThat(report.elementCount()).isEqualTo(count);
            assertThat(report.device()).startsWith("cpu");
            Integer[] expected = IntStream.range(0, count).boxed().toArray(Integer[]::new);
            Arrays.sort(
                    expected,
                    (i, j) -> whole[i] != whole[j]
                            ? Double.compare(whole[j], whole[i])
                            : Long.compare(narrow[i], narrow[j]));
            assertThat(permutation)
                    .containsExactly(Arrays.stream(expected).mapToInt(i -> i).toArray());
        }
    }

    @Test
    void takesSegmentsOfAnyKind() {
        int[] values = new SplittableRandom(9).ints(70_000, 0, 5000).toArray();
        int[] expected = SampleSort.argsort(KeyColumn.of(values));
        try (Arena confined = Arena.ofConfined();
                ColumnSorter sorter = builder().buildColumns()) {
            MemorySegment segment = confined.allocateFrom(ValueLayout.JAVA_INT, values);
            assertThat(sorter.argsort(KeyColumn.of(segment, ElementType.INT))).containsExactly(expected);
            assertThat(sorter.argsort(KeyColumn.of(segment.asReadOnly(), ElementType.INT)))
                    .containsExactly(expected);
            MemorySegment bytes = confined.allocate(4L * values.length + 1).asSlice(1);
            bytes.copyFrom(segment);
            assertThat(sorter.argsort(KeyColumn.of(bytes, ElementType.INT))).containsExactly(expected);
            MemorySegment permutation = confined.allocate(ValueLayout.JAVA_LONG, values.length);
            sorter.argsort(List.of(KeyColumn.of(segment, ElementType.INT)), permutation);
            assertThat(Arrays.stream(permutation.toArray(ValueLayout.JAVA_LONG))
                            .mapToInt(Math::toIntExact)
                            .toArray())
                    .containsExactly(expected);
        }
    }

    @Test
    void saysWhatIsWrong() {
        KeyColumn three = KeyColumn.of(new int[3]);
        assertThatThrownBy(() -> SampleSort.argsort(new KeyColumn[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give at least one");
        assertThatThrownBy(() -> SampleSort.argsort(three, KeyColumn.of(new long[4])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key columns have [3, 4] rows: all must have the same number of rows");
        assertThatThrownBy(() -> KeyColumn.of(new int[9]).validity(MemorySegment.ofArray(new byte[1])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the validity bitmap has 1 bytes: 2 are needed for 9 rows");
        assertThatThrownBy(() -> KeyColumn.of(new double[1]).unsigned())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("double");
        assertThatThrownBy(() -> KeyColumn.of(MemorySegment.ofArray(new byte[7]), ElementType.INT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("7 bytes");
        assertThatThrownBy(() -> KeyColumn.ofFixedStrings(MemorySegment.ofArray(new byte[7]), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be positive");
        assertThatThrownBy(three::strings).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(three::validity).isInstanceOf(IllegalStateException.class);
        try (ColumnSorter sorter = builder().buildColumns()) {
            assertThatThrownBy(() -> sorter.argsort(List.of(three), MemorySegment.ofArray(new int[2])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the permutation has 8 bytes");
            int[] both = {3, 1, 2};
            assertThatThrownBy(() -> sorter.argsort(List.of(three, KeyColumn.of(both)), MemorySegment.ofArray(both)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("permutation and a key column overlap in memory");
            assertThat(both).containsExactly(3, 1, 2);
            sorter.close();
            assertThatThrownBy(() -> sorter.argsort(three)).isInstanceOf(IllegalStateException.class);
        }
    }

    /// A whole table follows the permutation: numbers, strings of both kinds and bits.
    @Test
    void gathersColumnsOfEveryKind() {
        gathersColumns(1, 10);
    }

    @Test
    @Tag("exhaustive")
    void gathersMoreColumnsOfEveryKind() {
        gathersColumns(11, 40);
    }

    private static void gathersColumns(long firstSeed, long lastSeed) {
        int count = 3000;
        for (long seed = firstSeed; seed <= lastSeed; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            KeyColumn[] table = IntStream.range(0, 4)
                    .mapToObj(i -> draw(random, count).column())
                    .toArray(KeyColumn[]::new);
            int[] permutation = SampleSort.argsort(table);
            KeyColumn[] sorted = Arrays.stream(table)
                    .map(column -> ColumnSorter.applyPermutation(permutation, column))
                    .toArray(KeyColumn[]::new);
            assertThat(SampleSort.argsort(sorted))
                    .as("seed " + seed)
                    .containsExactly(IntStream.range(0, count).toArray());
            for (int c = 0; c < table.length; c++) {
                for (int i = 0; i < count; i++) {
                    assertThat(sorted[c].isNull(i)).isEqualTo(table[c].isNull(permutation[i]));
                    assertThat(value(sorted[c], i)).containsExactly(value(table[c], permutation[i]));
                }
            }
        }
    }

    private static byte[] value(KeyColumn column, int row) {
        return column.hasStrings()
                ? column.strings().get(row)
                : column.values()
                        .asSlice((long) row * column.valueBytes(), column.valueBytes())
                        .toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void gathersOnlyByPermutations() {
        KeyColumn two = KeyColumn.of(new int[2]);
        assertThatThrownBy(() -> ColumnSorter.applyPermutation(new int[] {1, 1}, two))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("appears twice");
        assertThatThrownBy(() -> ColumnSorter.applyPermutation(new int[] {0}, two))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 rows and the column 2");
    }
}
