/// What one thread does with elements of one type: it decodes them into its buffer as ints or longs, finds their
/// buckets, moves them to open pages, and sorts small buckets. All inner loops of the CPU engine are here, and no
/// threads. Start at [Lane].
package io.samplesort.cpu.lanes;
