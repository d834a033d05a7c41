/// The CPU engine: the same sample sort in Java, on all cores and in place. Start at [CpuSorter], which sorts numbers:
/// by the kernels of [io.samplesort.cpu.leaf] in a quicksort of this room, or by the distribution passes of
/// [io.samplesort.cpu.passes]. [io.samplesort.cpu.lanes] is what a single thread does there with elements of one type,
/// [io.samplesort.cpu.threads] has the threads of all of them, and [io.samplesort.cpu.index] sorts everything that is
/// not a plain number: by sort keys ([io.samplesort.cpu.keys]), as whole records ([io.samplesort.cpu.records]) or by
/// indexes.
package io.samplesort.cpu;
