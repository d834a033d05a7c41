package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The first and the last elements of each segment are those of the JDK's stable sort of each segment, on every engine.
public abstract class FirstOfSegmentsContract {
    /// A builder for the engine under test.
    protected abstract SorterBuilder builder();

    /// How many elements an input has.
    protected abstract int count();

    /// How many elements of each segment are wanted.
    protected abstract long[] wanted();

    /// Selects where the engine takes elements.
    protected abstract void select(
            SegmentedSorter sorter,
            MemorySegment elements,
            SegmentOffsets offsets,
            long k,
            boolean isLast,
            MemorySegment target);

    /// Selects indexes.
    ///
    /// @param type of an index
    protected abstract void argselect(
            SegmentedSorter sorter,
            MemorySegment elements,
            SegmentOffsets offsets,
            long k,
            boolean isLast,
            MemorySegment indexes,
            ElementType type);

    static List<RecordCase> elements() {
        return List.of(
                new RecordCase(ElementType.INT, Order.natural()),
                new RecordCase(ElementType.DOUBLE, Order.natural().reversed()),
                new RecordCase(ElementType.BYTE, Order.unsigned()),
                RecordCase.named("all kinds of narrow fields").getFirst(),
                RecordCase.named("custom, by index").getFirst());
    }

    @ParameterizedTest
    @MethodSource("elements")
    void selectsFromSegmentsOfEveryShape(RecordCase elements) {
        try (Arena arena = Arena.ofShared();
                SegmentedSorter sorter = builder().order(elements.order()).buildSegmented(elements.type())) {
            for (SegmentShape shape : SegmentShape.values()) {
                SegmentOffsets offsets = shape.offsets(count(), new Random(1));
                MemorySegment input =
                        arena.allocate((long) count() * elements.type().byteSize(), 16);
                elements.fill(input, new Random(shape.ordinal()));
                int[][] sorted = sorted(elements, input, offsets);
                for (int i = 0; i < wanted().length; i++) {
                    int turn = shape.ordinal() + i;
                    assertSelects(
                            sorter, elements, input, offsets, sorted, wanted()[i], turn, shape + " of " + elements);
                }
            }
        }
    }

    private static int[][] sorted(RecordCase elements, MemorySegment input, SegmentOffsets offsets) {
        int bytes = elements.type().byteSize();
        Comparator<MemorySegment> comparator = elements.order().toComparator(elements.type());
        int[][] sorted = new int[(int) offsets.segmentCount()][];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = IntStream.range((int) offsets.offset(i), (int) offsets.offset(i + 1))
                    .boxed()
                    .sorted((a, b) -> comparator.compare(
                            input.asSlice((long) a * bytes, bytes), input.asSlice((long) b * bytes, bytes)))
                    .mapToInt(index -> index)
                    .toArray();
        }
        return sorted;
    }

    /// @param turn chooses the direction and the type of the indexes
    private void assertSelects(
            SegmentedSorter sorter,
            RecordCase elements,
            MemorySegment input,
            SegmentOffsets offsets,
            int[][] sorted,
            long k,
            int turn,
            String what) {
        boolean isLast = turn % 2 == 1;
        SegmentOffsets results = offsets.atMost(k);
        byte[] before = input.toArray(ValueLayout.JAVA_BYTE);
        int[] expected = new int[(int) results.last()];
        for (int i = 0; i < sorted.length; i++) {
            int count = (int) (results.offset(i + 1) - results.offset(i));
            System.arraycopy(
                    sorted[i], isLast ? sorted[i].length - count : 0, expected, (int) results.offset(i), count);
        }
        if (turn / 2 % 2 == 0) {
            int[] indexes = new int[expected.length];
            argselect(sorter, input, offsets, k, isLast, MemorySegment.ofArray(indexes), ElementType.INT);
            assertThat(indexes).as("%d, last %b, %s", k, isLast, what).isEqualTo(expected);
        } else {
            long[] indexes = new long[expected.length];
            argselect(sorter, input, offsets, k, isLast, MemorySegment.ofArray(indexes), ElementType.LONG);
            assertThat(indexes)
                    .as("%d, last %b, %s", k, isLast, what)
                    .isEqualTo(IntStream.of(expected).asLongStream().toArray());
        }
        int bytes = elements.type().byteSize();
        MemorySegment target = MemorySegment.ofArray(new long[expected.length * bytes / Long.BYTES + 1])
                .asSlice(0, (long) expected.length * bytes);
        select(sorter, input, offsets, k, isLast, target);
        assertThat(target.toArray(ValueLayout.JAVA_BYTE))
                .as("%d, last %b, %s", k, isLast, what)
                .isEqualTo(gathered(input, bytes, expected));
        assertThat(input.mismatch(MemorySegment.ofArray(before))).isEqualTo(-1);
    }

    private static byte[] gathered(MemorySegment elements, int bytes, int[] indexes) {
        MemorySegment gathered = MemorySegment.ofArray(new byte[indexes.length * bytes]);
        for (int i = 0; i < indexes.length; i++) {
            MemorySegment.copy(elements, (long) indexes[i] * bytes, gathered, (long) i * bytes, bytes);
        }
        return gathered.toArray(ValueLayout.JAVA_BYTE);
    }
}
