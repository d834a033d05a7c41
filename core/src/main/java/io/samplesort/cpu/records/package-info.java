/// Stable sorts that move whole records on the CPU, by the numbers that orders turn them into. [RecordSort] distributes
/// them among buckets; [GatherSort] sorts their places first and then collects them, where a sort key is one number.
package io.samplesort.cpu.records;
