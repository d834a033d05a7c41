/// Sorts records, stable sorts and orders of the user's own on the CPU: these sort the indexes of the elements, as
/// numbers wherever the order allows that, and then move each element once. Start at [IndexedCpuSorter].
package io.samplesort.cpu.index;
