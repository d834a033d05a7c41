/// Finds the elements of some ranks on the CPU without sorting the others. Start at [CpuSelector]. A sample gives
/// bounds, a [Filter] keeps the few elements between them, and only these [Candidates] are sorted. Numbers are compared
/// by plain loops ([NumberKeys]), which are about as fast as reading memory. A [RowSelection] does the same for rows
/// whose keys are read in parts.
package io.samplesort.cpu.select;
