package io.samplesort;

/// Sorts on the CPU are cancelled, by one thread and by several, with kernels and without.
class CpuCancelTest extends CancelContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int count() {
        return 200_000;
    }
}
