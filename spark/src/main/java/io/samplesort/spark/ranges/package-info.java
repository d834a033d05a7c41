/// The sort of rows across a cluster: splitters from a sample of their keys, the exchange of blocks of rows, and the
/// sort of each partition.
package io.samplesort.spark.ranges;
