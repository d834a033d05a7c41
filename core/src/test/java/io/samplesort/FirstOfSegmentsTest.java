package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The first and the last elements of each segment are those of the JDK's stable sort of each segment.
class FirstOfSegmentsTest {
    private static final int COUNT = 40_000;

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
                SegmentedSorter sorter =
                        SampleSort.onCpu().order(elements.order()).buildSegmented(elements.type())) {
            for (SegmentShape shape : SegmentShape.values()) {
                SegmentOffsets offsets = shape.offsets(COUNT, new Random(1));
                MemorySegment input =
                        arena.allocate((long) COUNT * elements.type().byteSize(), 16);
                elements.fill(input, new Random(shape.ordinal()));
                int[][] sorted = sorted(elements, input, offsets);
                for (long k : new long[] {0, 10, 5000, COUNT}) {
                    assertSelects(sorter, elements, input, offsets, sorted, k, shape + " of " + elements);
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

    private static void assertSelects(
            SegmentedSorter sorter,
            RecordCase elements,
            MemorySegment input,
            SegmentOffsets offsets,
            int[][] sorted,
            long k,
            String what) {
        SegmentOffsets results = offsets.atMost(k);
        byte[] before = input.toArray(ValueLayout.JAVA_BYTE);
        for (boolean isLast : new boolean[] {false, true}) {
            int[] expected = new int[(int) results.last()];
            for (int i = 0; i < sorted.length; i++) {
                int count = (int) (results.offset(i + 1) - results.offset(i));
                System.arraycopy(
                        sorted[i], isLast ? sorted[i].length - count : 0, expected, (int) results.offset(i), count);
            }
            int[] indexes = new int[expected.length];
            MemorySegment wide = MemorySegment.ofArray(new long[expected.length]);
            int bytes = elements.type().byteSize();
            MemorySegment target = MemorySegment.ofArray(new long[expected.length * bytes / Long.BYTES + 1])
                    .asSlice(0, (long) expected.length * bytes);
            if (isLast) {
                sorter.arglast(input, offsets, k, MemorySegment.ofArray(indexes));
                sorter.arglast(input, offsets, k, wide);
                sorter.last(input, offsets, k, target);
            } else {
                sorter.argfirst(input, offsets, k, MemorySegment.ofArray(indexes));
                sorter.argfirst(input, offsets, k, wide);
                sorter.first(input, offsets, k, target);
            }
            assertThat(indexes).as("%d, last %b, %s", k, isLast, what).isEqualTo(expected);
            assertThat(wide.toArray(ValueLayout.JAVA_LONG))
                    .isEqualTo(IntStream.of(expected).asLongStream().toArray());
            assertThat(target.toArray(ValueLayout.JAVA_BYTE))
                    .as("%d, last %b, %s", k, isLast, what)
                    .isEqualTo(gathered(input, bytes, expected));
        }
        assertThat(input.mismatch(MemorySegment.ofArray(before))).isEqualTo(-1);
    }

    private static byte[] gathered(MemorySegment elements, int bytes, int[] indexes) {
        MemorySegment gathered = MemorySegment.ofArray(new byte[indexes.length * bytes]);
        for (int i = 0; i < indexes.length; i++) {
            MemorySegment.copy(elements, (long) indexes[i] * bytes, gathered, (long) i * bytes, bytes);
        }
        return gathered.toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void saysWhereResultsLie() {
        assertThat(SegmentOffsets.ofOffsets(new int[] {2, 5, 5, 6}).atMost(2))
                .isEqualTo(SegmentOffsets.ofOffsets(new int[] {0, 2, 2, 3}));
        assertThat(SegmentOffsets.ofRows(3, 8).atMost(2)).isEqualTo(SegmentOffsets.ofRows(3, 2));
        assertThat(SegmentOffsets.ofRows(3, 8).atMost(9)).isEqualTo(SegmentOffsets.ofRows(3, 8));
        assertThatThrownBy(() -> SegmentOffsets.ofRows(3, 8).atMost(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 elements of each segment");
    }

    @Test
    void refusesWhatDoesNotFit() {
        SegmentOffsets two = SegmentOffsets.ofRows(2, 3);
        MemorySegment keys = MemorySegment.ofArray(new int[6]);
        MemorySegment room = MemorySegment.ofArray(new int[4]);
        try (SegmentedSorter sorter = SampleSort.onCpu().buildSegmented(ElementType.INT);
                SegmentedSorter pairs =
                        SampleSort.onCpu().payload(ElementType.INT).buildSegmented(ElementType.INT)) {
            sorter.first(keys, two, 2, room);
            assertThatThrownBy(() -> sorter.first(keys, two, 3, room))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the target has room for 4 keys, and 6 are wanted: give one with room for"
                            + " segments.atMost(k).last()");
            assertThatThrownBy(() -> sorter.argfirst(keys, two, 1, room.asSlice(0, 4)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 wanted elements");
            assertThatThrownBy(() -> sorter.first(keys, two, 1, keys.asSlice(0, 8)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap");
            assertThatThrownBy(() -> sorter.last(keys, two, -1, room))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must not be negative");
            assertThatThrownBy(() -> sorter.last(keys, SegmentOffsets.ofRows(3, 3), 1, room))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there are 6 elements");
            assertThatThrownBy(() -> pairs.last(keys, two, 2, room))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("last is for keys alone");
        }
    }
}
