package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Selections from segments in host memory, and what they refuse.
class FirstOfSegmentsTest extends FirstOfSegmentsContract {
    private static final int COUNT = 40_000;

    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int count() {
        return COUNT;
    }

    @Override
    protected long[] wanted() {
        return new long[] {0, 10, 5000, COUNT};
    }

    @Override
    protected void select(
            SegmentedSorter sorter,
            MemorySegment elements,
            SegmentOffsets offsets,
            long k,
            boolean isLast,
            MemorySegment target) {
        if (isLast) {
            sorter.last(elements, offsets, k, target);
        } else {
            sorter.first(elements, offsets, k, target);
        }
    }

    @Override
    protected void argselect(
            SegmentedSorter sorter,
            MemorySegment elements,
            SegmentOffsets offsets,
            long k,
            boolean isLast,
            MemorySegment indexes,
            ElementType type) {
        if (isLast) {
            sorter.arglast(elements, offsets, k, indexes);
        } else {
            sorter.argfirst(elements, offsets, k, indexes);
        }
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
