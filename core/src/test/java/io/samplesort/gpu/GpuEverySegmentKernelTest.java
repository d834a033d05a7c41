package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.SegmentedSorter;
import io.samplesort.gpu.GpuSegmentTest.Copies;
import io.samplesort.types.ElementType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Few sorts of segments, and selections from them, that run the kernels of segments of every length.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuEverySegmentKernelTest {
    private static final int WANTED = 30;

    /// For lanes and warps, blocks, a distribution pass together with others, and a sort of its own.
    private static final int[] LENGTHS = {0, 3, 20, 300, 1020, 1500, 1600, 2, 1700, 1900, 12_000, 7_000, 1};

    private final SegmentOffsets segments = SegmentOffsets.ofLengths(LENGTHS);
    private final SegmentOffsets results = segments.atMost(WANTED);
    // The kernels map doubles and map them back.
    private final double[] keys = new Random(8).doubles(segments.last(), -1, 1).toArray();
    private final double[] sorted = keys.clone();

    GpuEverySegmentKernelTest() {
        for (int s = 0; s < LENGTHS.length; s++) {
            Arrays.sort(sorted, (int) segments.offset(s), (int) segments.offset(s + 1));
        }
    }

    /// Returns the first or the last of the sorted keys of each segment.
    private double[] expected(boolean isLast) {
        double[] expected = new double[(int) results.last()];
        for (int s = 0; s < LENGTHS.length; s++) {
            int count = (int) (results.offset(s + 1) - results.offset(s));
            long from = isLast ? segments.offset(s + 1) - count : segments.offset(s);
            System.arraycopy(sorted, (int) from, expected, (int) results.offset(s), count);
        }
        return expected;
    }

    @Test
    void segments() {
        try (Copies copies = new Copies();
                SegmentedSorter sorter =
                        SampleSort.onGpu().tuning(GpuSegmentSortTest.TINY).buildSegmented(ElementType.DOUBLE)) {
            DeviceMemory elements = copies.of(MemorySegment.ofArray(keys));
            DeviceMemory offsets = copies.ofOffsets(segments, ElementType.INT);
            DeviceMemory places = copies.ofOffsets(segments, ElementType.INT);
            DeviceMemory target = copies.of(MemorySegment.ofArray(new double[(int) results.last()]));
            double[] selected = new double[(int) results.last()];
            sorter.last(elements, offsets, ElementType.INT, WANTED, target, places);
            target.copyTo(MemorySegment.ofArray(selected));
            assertThat(selected).isEqualTo(expected(true));

            DeviceMemory permutation = copies.of(MemorySegment.ofArray(new int[keys.length]));
            int[] indexes = new int[keys.length];
            sorter.argsort(elements, offsets, ElementType.INT, permutation);
            permutation.copyTo(MemorySegment.ofArray(indexes));
            assertThat(gathered(indexes)).isEqualTo(sorted);
            sorter.argfirst(elements, offsets, ElementType.INT, WANTED, permutation, places);
            permutation.copyTo(MemorySegment.ofArray(indexes));
            assertThat(gathered(Arrays.copyOf(indexes, selected.length))).isEqualTo(expected(false));

            sorter.sort(elements, offsets, ElementType.INT);
            double[] result = new double[keys.length];
            elements.copyTo(MemorySegment.ofArray(result));
            assertThat(result).isEqualTo(sorted);
        }
    }

    private double[] gathered(int[] indexes) {
        return Arrays.stream(indexes).mapToDouble(i -> keys[i]).toArray();
    }
}
