/// Sorts of Apache Spark with samplesort. [io.samplesort.spark.SampleSortSpark] is the entry.
package io.samplesort.spark;
