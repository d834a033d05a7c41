/// Sorts on the CPU of everything that is not a plain number: records, stable sorts and orders of the user's own. Start
/// at [IndexedCpuSorter]. A [SortKey] is the bits of an element that an order looks at. [RecordSort] moves whole
/// records to their buckets, [GatherSort] sorts their places first and then collects them, where a sort key is one
/// number, and [IndexSort] sorts the indexes of large ones, and those of an argsort.
package io.samplesort.cpu.records;
