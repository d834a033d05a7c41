/// Benchmarks of sorts of rows by key columns in device memory.
package io.samplesort.bench.columns;
