/// Selections on one GPU: the sort keys of a sample give bounds, one pass keeps the sort keys between them, and only
/// these are sorted. Of segments, all are sorted, and the first elements of each are copied.
package io.samplesort.gpu.select;
