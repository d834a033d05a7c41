package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.memory.ArrayRange;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Ranges of arrays, which the kernels take as they are, against the same elements in a segment.
class ArraySortTest {
    /// This many elements lie before a range and behind it.
    private static final int MARGIN = 3;

    /// The first is for one thread, and from the second on kernels sort.
    private static final int[] COUNTS = {0, 1, 1000, (1 << 17) + 5, (1 << 18) + 1};

    private static final List<InputDistribution> DISTRIBUTIONS = List.of(
            InputDistribution.UNIFORM,
            InputDistribution.SORTED,
            InputDistribution.REVERSE,
            InputDistribution.FEW_DISTINCT,
            InputDistribution.FOUR_RUNS,
            InputDistribution.ALL_EQUAL);

    /// Kernels sort the one, and the other is encoded before.
    @ParameterizedTest
    @EnumSource(names = {"U16", "F64"})
    void arraysAreSortedAsSegmentsAre(KeyType type) {
        arraysOfEachTypeAreSortedAsSegmentsAre(type);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource
    void arraysOfEachTypeAreSortedAsSegmentsAre(KeyType type) {
        for (Order order : ordersOf(type)) {
            for (InputDistribution distribution : DISTRIBUTIONS) {
                for (int count : COUNTS) {
                    compare(type, order, distribution, count);
                }
            }
        }
    }

    private static List<Order> ordersOf(KeyType type) {
        boolean isUnsigned = type == KeyType.U8 || type == KeyType.U16 || type == KeyType.U32 || type == KeyType.U64;
        return isUnsigned
                ? List.of(Order.unsigned(), Order.unsigned().reversed())
                : List.of(Order.natural(), Order.natural().reversed());
    }

    private static void compare(KeyType type, Order order, InputDistribution distribution, int count) {
        Object array = array(type, count + 2 * MARGIN);
        MemorySegment all = new ArrayRange(array, 0, count + 2 * MARGIN).segment();
        distribution.fill(all, type, count);
        byte[] expected = all.toArray(ValueLayout.JAVA_BYTE);
        ElementType element = elementType(type);
        int bytes = element.byteSize();
        try (CpuSorter sorter = new CpuSorter(element, null, order, CpuTuning.DEFAULT, 3)) {
            MemorySegment copy = MemorySegment.ofArray(new long[count + 1]).asSlice(0, (long) count * bytes);
            copy.copyFrom(all.asSlice((long) MARGIN * bytes, (long) count * bytes));
            sorter.sort(copy, null);
            MemorySegment.copy(copy, 0, MemorySegment.ofArray(expected), (long) MARGIN * bytes, (long) count * bytes);
            SortReport report = sorter.sort(new ArrayRange(array, MARGIN, MARGIN + count));
            assertThat(report.elementCount()).isEqualTo(count);
        }
        assertThat(all.mismatch(MemorySegment.ofArray(expected)))
                .as("the first byte that differs: %s of %s, %s, %d", type, distribution, order, count)
                .isEqualTo(-1);
    }

    private static Object array(KeyType type, int count) {
        return switch (type) {
            case I8, U8 -> new byte[count];
            case I16 -> new short[count];
            case U16 -> new char[count];
            case I32, U32 -> new int[count];
            case F32 -> new float[count];
            case I64, U64 -> new long[count];
            case F64 -> new double[count];
        };
    }

    private static ElementType elementType(KeyType type) {
        return switch (type) {
            case I8, U8 -> ElementType.BYTE;
            case I16, U16 -> ElementType.SHORT;
            case I32, U32 -> ElementType.INT;
            case F32 -> ElementType.FLOAT;
            case I64, U64 -> ElementType.LONG;
            case F64 -> ElementType.DOUBLE;
        };
    }
}
