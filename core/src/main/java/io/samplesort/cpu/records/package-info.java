/// Sorts on the CPU of everything that is not a plain number: records, stable sorts and orders of the user's own. Start
/// at [IndexedCpuSorter]. A [SortKey] has the bits of an element that an order compares. [RecordSort] moves whole
/// records to their buckets, [GatherSort] sorts their leading bits with their places first and then collects the
/// records, and [IndexSort] sorts the indexes of large records, and those of an argsort.
package io.samplesort.cpu.records;
