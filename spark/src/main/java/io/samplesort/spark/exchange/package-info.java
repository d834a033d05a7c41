/// The sort of blocks across a cluster: sorted runs, splitters from their samples, the exchange of pieces of runs, and
/// the sort of each partition.
package io.samplesort.spark.exchange;
