/// Sorts of numbers on the CPU: the same sample sort in Java, on all threads and in place. Start at [CpuSorter], which
/// sorts by kernels in a [QuickSort], or by a [DistributionPass] and what comes with it. A [Lane] is what a single
/// thread does there with elements of one type: all inner loops are in lanes, and no threads.
package io.samplesort.cpu.numbers;
