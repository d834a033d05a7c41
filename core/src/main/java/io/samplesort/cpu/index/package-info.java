/// Sorts records, stable sorts and orders of the user's own on the CPU. Start at [IndexedCpuSorter]. It leaves records
/// that are moved whole to [io.samplesort.cpu.records]; [IndexSort] sorts the indexes of large ones, and those of an
/// argsort.
package io.samplesort.cpu.index;
