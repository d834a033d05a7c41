/// Measures sorts of blocks beside those of Spark.
package io.samplesort.spark.bench;
