package io.samplesort.gpu;

import io.samplesort.ObjectContract;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// Objects whose keys a GPU sorts.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuObjectTest extends ObjectContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY);
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 257, 3000};
    }
}
