/// Sorts of numbers on the CPU, on all threads and in place. Start at [CpuSorter], which sorts by native kernels in a
/// [QuickSort], or in Java by a [DistributionPass] and its parts. A [Lane] does what a single thread does there with
/// elements of one type: all inner loops are in lanes, and lanes know nothing of threads.
package io.samplesort.cpu.numbers;
