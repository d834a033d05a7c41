/// Rows of several key columns: packs their keys into words and strings, which the sorters of numbers and strings sort.
package io.samplesort.columns;
