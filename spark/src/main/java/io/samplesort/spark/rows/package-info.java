/// Rows of a `Dataset` in the order of some of their columns: the order as one writes it, keys taken out of rows into
/// columns, and rows in pages of memory.
package io.samplesort.spark.rows;
