package io.samplesort.gpu;

import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.StringContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// The contract of strings on the GPU, by words that take several passes to sort.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuStringContractTest extends StringContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY);
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 70, 2100};
    }
}
