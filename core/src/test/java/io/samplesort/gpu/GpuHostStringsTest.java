package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.StringSorter;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Strings in host memory that a GPU sorts, also in chunks, compared with a sort by a comparator.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuHostStringsTest {
    @ParameterizedTest
    @EnumSource(GpuStringInput.class)
    void sortsHostMemory(GpuStringInput input) {
        try (StringSorter sorter =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes());
                GpuStringCase strings = GpuStringCase.of(input.strings(), ElementType.LONG)) {
            assertThat(sorter.argsort(strings.host())).isEqualTo(strings.expected(StringOrder.bytes()));
        }
    }

    @Test
    void memoryThatDoesNotSufficeIsSaid() {
        Strings strings = Strings.copyOf(GpuStringInput.LONGER_THAN_A_WORD.strings());
        int[] expected;
        try (StringSorter cpu = SampleSort.onCpu().buildStrings(StringOrder.bytes())) {
            expected = cpu.argsort(strings);
        }
        try (StringSorter sorter = SampleSort.onGpu().deviceMemory(20).buildStrings(StringOrder.bytes())) {
            assertThatThrownBy(() -> sorter.argsort(strings))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("sorting 2049 strings from host memory needs");
        }
        try (StringSorter sorter =
                SampleSort.onBestDevice().gpuThreshold(1000).deviceMemory(20).buildStrings(StringOrder.bytes())) {
            int[] permutation = new int[expected.length];
            SortReport report = sorter.argsort(strings, permutation);
            assertThat(report.fallbackReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("device memory"));
            assertThat(permutation).isEqualTo(expected);
        }
    }

    /// Chunks of a few hundred strings, and one string that makes a chunk of its own shorter.
    @Test
    void stringsOfBothCasesThatDoNotFitTheDeviceAreSortedInChunks() {
        stringsThatDoNotFitTheDeviceAreSortedInChunks(
                StringOrder.bytes().ignoringAsciiCase().reversed());
    }

    @ParameterizedTest
    @MethodSource("io.samplesort.gpu.GpuStringsTest#orders")
    @Tag("exhaustive")
    void stringsThatDoNotFitTheDeviceAreSortedInChunks(StringOrder order) {
        try (StringSorter sorter = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .deviceMemory(300_000)
                .buildStrings(order)) {
            for (GpuStringInput input : List.of(
                    GpuStringInput.LONGER_THAN_A_WORD,
                    GpuStringInput.RARE,
                    GpuStringInput.BOTH_CASES,
                    GpuStringInput.ONE_VERY_LONG)) {
                try (GpuStringCase strings = GpuStringCase.of(input.strings(), ElementType.INT)) {
                    int count = (int) strings.host().count();
                    assertThat(sorter.argsort(strings.host())).as(input.name()).isEqualTo(strings.expected(order));
                    MemorySegment longs = MemorySegment.ofArray(new long[count]);
                    SortReport report = sorter.argsort(strings.host(), longs);
                    assertThat(report.elementCount()).isEqualTo(count);
                    assertThat(report.extraBytes()).isLessThanOrEqualTo(300_000);
                    assertThat(longs.toArray(ValueLayout.JAVA_LONG))
                            .isEqualTo(Arrays.stream(strings.expected(order))
                                    .asLongStream()
                                    .toArray());
                }
            }
        }
    }
}
