/// Benchmarks of sorts of strings in device memory.
package io.samplesort.bench.strings;
