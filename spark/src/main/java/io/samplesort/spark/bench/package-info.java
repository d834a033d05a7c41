/// Measures sorts of blocks against those of Spark.
package io.samplesort.spark.bench;
