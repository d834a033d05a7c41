package io.samplesort.cpu.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.cpu.numbers.SortCase;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OrderedRunTest {
    private static final int LARGE = 300_000;

    @Test
    void fewerThanTwoElementsAreInOrder() {
        assertThat(OrderedRun.isSorted(MemorySegment.ofArray(new int[0]), ElementType.INT, Order.natural()))
                .isTrue();
        assertThat(OrderedRun.isSorted(MemorySegment.ofArray(new int[1]), ElementType.INT, Order.natural()))
                .isTrue();
    }

    @Test
    void findsTheOnePairThatIsNot() {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        for (int i = 0; i < 300; i++) {
            int[] values = new int[i % 3 == 0 ? LARGE : random.nextInt(2, 40_000)];
            Arrays.setAll(values, at -> at / 3);
            int broken = i % 5 == 0 ? values.length - 1 : random.nextInt(1, values.length);
            String what = values.length + " values, " + broken + ", -Dtests.seed=" + SortCase.SEED;
            assertThat(OrderedRun.isSorted(MemorySegment.ofArray(values), ElementType.INT, Order.natural()))
                    .as(what)
                    .isTrue();
            values[broken] = -1;
            assertThat(OrderedRun.isSorted(MemorySegment.ofArray(values), ElementType.INT, Order.natural()))
                    .as(what)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("io.samplesort.types.ElementType#values")
    void comparesNumbersAsTheirOrderDoes(ElementType type) {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        for (Order order : List.of(
                Order.natural(),
                Order.natural().reversed(),
                Order.unsigned(),
                Order.unsigned().reversed())) {
            if (isFloating(type) && order.toString().startsWith("unsigned")) {
                continue;
            }
            Comparator<MemorySegment> comparator = order.toComparator(type);
            for (int i = 0; i < 2000; i++) {
                byte[] bytes = new byte[type.byteSize() * 2];
                random.nextBytes(bytes);
                // Neighbours often have some bytes in common.
                int same = random.nextInt(type.byteSize() + 1);
                System.arraycopy(bytes, type.byteSize() - same, bytes, bytes.length - same, same);
                MemorySegment two = MemorySegment.ofArray(bytes);
                int expected = comparator.compare(
                        aligned(two.asSlice(0, type.byteSize())), aligned(two.asSlice(type.byteSize())));
                assertThat(OrderedRun.isSorted(two, type, order))
                        .as("%s by %s: %s", type, order, Arrays.toString(bytes))
                        .isEqualTo(expected <= 0);
            }
        }
    }

    private static MemorySegment aligned(MemorySegment number) {
        return MemorySegment.ofArray(new long[1]).asSlice(0, number.byteSize()).copyFrom(number);
    }

    private static boolean isFloating(ElementType type) {
        return type.equals(ElementType.FLOAT) || type.equals(ElementType.DOUBLE);
    }

    @Test
    void asksEveryKindOfOrder() {
        long[] values = new long[LARGE];
        Arrays.setAll(values, i -> -i);
        MemorySegment elements = MemorySegment.ofArray(values);
        Order ascending = Order.custom(
                "a < b", (a, b) -> Long.compare(a.get(ValueLayout.JAVA_LONG, 0), b.get(ValueLayout.JAVA_LONG, 0)));
        assertThat(OrderedRun.isSorted(elements, ElementType.LONG, ascending)).isFalse();
        assertThat(OrderedRun.isSorted(elements, ElementType.LONG, ascending.reversed()))
                .isTrue();
        assertThat(OrderedRun.isSorted(
                        elements, ElementType.LONG, Order.natural().reversed()))
                .isTrue();
        assertThat(OrderedRun.isSorted(
                        elements, IndexedCases.SCORED, Order.by("id").reversed()))
                .isTrue();
        assertThat(OrderedRun.isSorted(elements, IndexedCases.SCORED, Order.by("id")))
                .isFalse();
        assertThatThrownBy(() -> OrderedRun.isSorted(elements, ElementType.LONG, Order.by("id")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'id'");
    }
}
