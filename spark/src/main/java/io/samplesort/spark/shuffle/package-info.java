/// What sorts of blocks and of rows have in common in Spark's shuffle: pieces, and the numbers of the partitions that
/// they go to.
package io.samplesort.spark.shuffle;
