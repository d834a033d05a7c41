/// `bench select`: the first elements and those of given ranks, next to sorts of everything and NumPy's partition.
package io.samplesort.bench.select;
