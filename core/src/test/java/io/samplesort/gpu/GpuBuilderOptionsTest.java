package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.BuiltSorter;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every option for the GPU has an effect on every kind of sorter.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuBuilderOptionsTest {
    private static final Tuning TINY = GpuContractTest.TINY;
    private static final int COUNT = 10_000;

    private static SorterBuilder tiny() {
        return SampleSort.onGpu().tuning(TINY);
    }

    /// More buckets of a pass make fewer passes.
    @ParameterizedTest
    @EnumSource
    void tuning(BuiltSorter kind) {
        int passes = kind.sort(tiny(), COUNT).passes();
        assertThat(passes).isGreaterThan(1);
        assertThat(kind.sort(tiny().tuning("maxBucketCount=16"), COUNT).passes())
                .isPositive()
                .isLessThan(passes);
    }

    @ParameterizedTest
    @EnumSource
    void timesPhases(BuiltSorter kind) {
        assertThat(kind.sort(tiny(), COUNT).phases()).isEmpty();
        assertThat(kind.sort(tiny().timesPhases(), COUNT).phases())
                .isNotEmpty()
                .extracting(SortReport.Phase::name)
                .anyMatch(name -> name.endsWith("small_sort"));
    }

    @ParameterizedTest
    @EnumSource
    void lean(BuiltSorter kind) {
        Tuning generous = TINY.with("extraPercent=130");
        long usual = kind.sort(SampleSort.onGpu().tuning(generous), COUNT).extraBytes();
        long lean = kind.sort(SampleSort.onGpu().tuning(generous).lean(), COUNT).extraBytes();
        assertThat(lean).isLessThan(usual);
        assertThat(lean).isEqualTo(kind.sort(tiny(), COUNT).extraBytes());
    }

    @ParameterizedTest
    @EnumSource
    void deviceMemory(BuiltSorter kind) {
        assertThatThrownBy(() -> kind.sort(tiny().deviceMemory(100), COUNT))
                .isInstanceOf(InsufficientDeviceMemoryException.class);
    }

    @ParameterizedTest
    @EnumSource
    void gpuThreshold(BuiltSorter kind) {
        // Kernels that are in the cache by now are not waited for, which would leave the sort to the CPU.
        kind.sort(tiny(), COUNT);
        SorterBuilder builder = SampleSort.onBestDevice().tuning(TINY);
        assertThat(kind.sort(builder.gpuThreshold(COUNT + 1), COUNT).device()).startsWith("cpu");
        assertThat(kind.sort(builder.gpuThreshold(COUNT), COUNT).device()).startsWith("gpu:0");
    }
}
