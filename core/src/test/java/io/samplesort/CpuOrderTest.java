package io.samplesort;

/// The order of every form of input on the CPU, few and many.
class CpuOrderTest extends OrderContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {3, 40, 10_000};
    }
}
