package io.samplesort.cpu;

import io.samplesort.RecordContract;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;

/// Records on the CPU.
class CpuRecordTest extends RecordContract {
    @Override
    protected Sorter.Builder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 100, 5000, 40_000};
    }
}
