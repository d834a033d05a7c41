package io.samplesort.gpu;

import io.samplesort.EndianContract;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// Records with big-endian fields on a GPU, with buckets so small that some thousands of elements take two passes.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuEndianTest extends EndianContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY);
    }

    @Override
    protected int passes() {
        return 6000;
    }
}
