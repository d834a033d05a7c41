package io.samplesort.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorts of equally much host memory one after the other, while others take and free device memory.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuHostSortMemoryTest {
    private static final int COUNT = 20_011;
    private static final int TOTAL_BYTES = 8 << 20;
    /// Enough for a few chunks, and not for all elements.
    private static final int LEFT_BYTES = 256 << 10;

    @Test
    void theKeptPlanIsLeftWhereMemoryIsShort() {
        try (SeveralGpus gpus = SeveralGpus.withMemory(TOTAL_BYTES);
                Sorter sorter = SampleSort.onGpu().tuning(GpuContractTest.TINY).build(ElementType.LONG)) {
            long plenty = sort(sorter).extraBytes();
            assertThat(sort(sorter).extraBytes()).isEqualTo(plenty);
            try (DeviceMemory taken = DeviceMemory.allocate(Device.gpu(0), TOTAL_BYTES - LEFT_BYTES)) {
                assertThat(taken.byteSize()).isPositive();
                assertThat(sort(sorter).extraBytes()).isLessThan(plenty);
            }
            assertThat(sort(sorter).extraBytes()).isEqualTo(plenty);
        }
    }

    private static SortReport sort(Sorter sorter) {
        long[] keys = new SplittableRandom(3).longs(COUNT).toArray();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        SortReport report = sorter.sort(keys);
        assertThat(keys).isEqualTo(expected);
        return report;
    }
}
