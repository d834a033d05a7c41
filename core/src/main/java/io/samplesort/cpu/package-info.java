/// The CPU engine: the same sample sort in Java, on all cores and in place. Start at [CpuSorter], which sorts numbers;
/// [DistributionPass] is one pass. The engine has two more rooms: [io.samplesort.cpu.lanes] is what a single thread
/// does with elements of one type, and [io.samplesort.cpu.index] sorts everything that is not a plain number.
package io.samplesort.cpu;
