package io.samplesort.gpu;

import io.samplesort.ColumnContract;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// Rows whose packed keys a GPU sorts.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuColumnTest extends ColumnContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY);
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 1000, 3000};
    }

    @Override
    protected int schemas() {
        return 8;
    }
}
