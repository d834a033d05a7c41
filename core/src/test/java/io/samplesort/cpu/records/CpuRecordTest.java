package io.samplesort.cpu.records;

import io.samplesort.RecordContract;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;

/// Records on the CPU.
class CpuRecordTest extends RecordContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 100, 5000, 40_000};
    }
}
