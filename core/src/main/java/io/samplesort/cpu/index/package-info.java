/// Sorts records, stable sorts and orders of the user's own on the CPU. Start at [IndexedCpuSorter]. [RecordSort] moves
/// whole records by the numbers that orders turn them into; [IndexSort] sorts the indexes of large ones, and those of
/// an argsort.
package io.samplesort.cpu.index;
