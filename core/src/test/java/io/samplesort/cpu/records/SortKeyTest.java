package io.samplesort.cpu.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.RecordCase;
import io.samplesort.cpu.numbers.SortCase;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The engine's own reading of an order agrees with the comparator that everybody sees, and that one is an order.
class SortKeyTest {
    private static final int COUNT = 120;

    static List<RecordCase> few() {
        return withoutComparators(IndexedCases.few());
    }

    static List<RecordCase> others() {
        return withoutComparators(IndexedCases.others());
    }

    private static List<RecordCase> withoutComparators(List<RecordCase> cases) {
        return cases.stream()
                .filter(records -> !(records.order() instanceof CustomOrder))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("few")
    void agreesWithTheComparator(RecordCase records) {
        for (RecordInput input : RecordInput.values()) {
            MemorySegment elements = elements(records, input);
            int bytes = records.type().byteSize();
            Comparator<MemorySegment> comparator = records.order().toComparator(records.type());
            SortKey key = SortKey.of(records.type(), records.order());
            SortKey narrowed = key.narrowed(elements, i -> i, 0, COUNT, new Parallel(1), COUNT);
            ElementComparator whole = key.comparator(elements);
            for (int a = 0; a < COUNT; a++) {
                for (int b = 0; b < COUNT; b++) {
                    int expected = Integer.signum(comparator.compare(
                            elements.asSlice((long) a * bytes, bytes), elements.asSlice((long) b * bytes, bytes)));
                    String what = records + ", " + input + ", elements " + a + " and " + b
                            + "; replay with -Dtests.seed=" + SortCase.SEED;
                    assertThat(Integer.signum(whole.compare(a, b))).as(what).isEqualTo(expected);
                    assertThat(byPrefixes(key, elements, a, b)).as(what).isEqualTo(expected);
                    assertThat(byPrefixes(narrowed, elements, a, b))
                            .as("narrowed: %s", what)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("others")
    void agreesWithOtherComparators(RecordCase records) {
        agreesWithTheComparator(records);
    }

    /// As where a field lies in the prefix in part, and long ties are sorted again by all of it.
    @Test
    void narrowsWhatIsNarrowedAlready() {
        long[] values = {-1_000_000, 1_000_000, 5003, 5001, 5002, 5000};
        MemorySegment elements = MemorySegment.ofArray(values);
        for (boolean isReversed : new boolean[] {false, true}) {
            SortKey key = SortKey.of(ElementType.LONG, new NaturalOrder(false, isReversed));
            Parallel alone = new Parallel(1);
            SortKey narrowed = key.narrowed(elements, i -> i, 0, values.length, alone, 2);
            SortKey twice = narrowed.narrowed(elements, i -> i, 2, values.length, alone, 2);
            assertThat(key.isPackable(1)).isFalse();
            assertThat(narrowed.isPackable(Long.SIZE - 21)).isTrue();
            assertThat(twice.isPackable(Long.SIZE - 2)).isTrue();
            for (int i = 2; i < values.length; i++) {
                assertThat(twice.prefix(elements, i)).isEqualTo(isReversed ? 5003 - values[i] : values[i] - 5000);
            }
        }
    }

    /// By the prefix, then the prefix of the rest, and so on, as long runs are sorted.
    private static int byPrefixes(SortKey key, MemorySegment elements, int a, int b) {
        int byPrefix = Long.compareUnsigned(key.prefix(elements, a), key.prefix(elements, b));
        SortKey rest = key.rest();
        if (byPrefix != 0 || rest == null) {
            return byPrefix;
        }
        int byRest = byPrefixes(rest, elements, a, b);
        assertThat(Integer.signum(rest.comparator(elements).compare(a, b))).isEqualTo(byRest);
        return byRest;
    }

    @ParameterizedTest
    @MethodSource("few")
    void theComparatorIsAStrictWeakOrder(RecordCase records) {
        for (RecordInput input : RecordInput.values()) {
            MemorySegment elements = elements(records, input);
            int bytes = records.type().byteSize();
            Comparator<MemorySegment> comparator = records.order().toComparator(records.type());
            int[][] signs = new int[COUNT][COUNT];
            for (int a = 0; a < COUNT; a++) {
                for (int b = 0; b < COUNT; b++) {
                    signs[a][b] = Integer.signum(comparator.compare(
                            elements.asSlice((long) a * bytes, bytes), elements.asSlice((long) b * bytes, bytes)));
                }
            }
            for (int a = 0; a < COUNT; a++) {
                for (int b = 0; b < COUNT; b++) {
                    for (int c = 0; c < COUNT; c++) {
                        // Where a is not after b and b not after c, a is not after c, and the other way round.
                        boolean isTransitive =
                                signs[a][b] > 0 || signs[b][c] > 0 || signs[a][c] == Math.min(signs[a][b], signs[b][c]);
                        if (!isTransitive || signs[a][b] != -signs[b][a]) {
                            assertThat(isTransitive)
                                    .as(
                                            "%s, %s, elements %s, %s, %s; replay with -Dtests.seed=%s",
                                            records, input, a, b, c, SortCase.SEED)
                                    .isTrue();
                            assertThat(signs[a][b])
                                    .as("%s, %s, elements %s, %s; -Dtests.seed=%s", records, input, a, b, SortCase.SEED)
                                    .isEqualTo(-signs[b][a]);
                        }
                    }
                }
            }
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("others")
    void otherComparatorsAreStrictWeakOrders(RecordCase records) {
        theComparatorIsAStrictWeakOrder(records);
    }

    private static MemorySegment elements(RecordCase records, RecordInput input) {
        MemorySegment elements =
                MemorySegment.ofArray(new byte[COUNT * records.type().byteSize()]);
        input.fill(elements, records.type(), new SplittableRandom(SortCase.SEED));
        return elements;
    }
}
