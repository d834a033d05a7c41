package io.samplesort.cpu.strings;

import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.StringContract;

/// Strings on the CPU.
class CpuStringTest extends StringContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 3, 7, 24, 25, 100, 5000, 50_000};
    }
}
