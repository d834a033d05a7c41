package io.samplesort;

/// Sorts on one thread of the CPU are cancelled.
class CpuThreadCancelTest extends CancelContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu().cpuThreads(1);
    }

    @Override
    protected int count() {
        return 150_000;
    }
}
