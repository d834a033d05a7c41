package io.samplesort.cpu.segments;

import io.samplesort.SampleSort;
import io.samplesort.SegmentContract;
import io.samplesort.SorterBuilder;

/// Segments on the CPU.
class CpuSegmentTest extends SegmentContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int count() {
        return 120_000;
    }
}
