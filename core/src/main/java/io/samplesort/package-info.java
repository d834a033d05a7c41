/// Sorts of arrays, memory segments and device memory: start at [SampleSort].
package io.samplesort;
