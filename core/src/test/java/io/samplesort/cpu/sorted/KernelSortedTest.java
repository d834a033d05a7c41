package io.samplesort.cpu.sorted;

import io.samplesort.cpu.leaf.SortedKernels;
import org.junit.jupiter.api.BeforeAll;

/// The same on the CPU with the kernels, also for few elements, as in a process that has worked on many.
class KernelSortedTest extends CpuSortedTest {
    @BeforeAll
    static void link() {
        SortedKernels.link();
    }
}
