/// Rows of a `Dataset` in the order of some of their columns: the order in its written form, keys that are taken out of
/// rows into columns, and rows in blocks of memory.
package io.samplesort.spark.rows;
