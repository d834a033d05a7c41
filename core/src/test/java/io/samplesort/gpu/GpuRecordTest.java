package io.samplesort.gpu;

import io.samplesort.RecordContract;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// Records on a GPU, with buckets so small that some thousands of elements take two passes.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuRecordTest extends RecordContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY);
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 33, 100, 500, 1025, 6000};
    }
}
