package io.samplesort.cpu.records;

import io.samplesort.EndianContract;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;

/// Records with big-endian fields on the CPU.
class CpuEndianTest extends EndianContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int passes() {
        return 000;
    }
}
