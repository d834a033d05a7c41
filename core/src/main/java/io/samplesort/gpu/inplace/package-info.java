/// Sorts one array in device memory in place, with additional memory of a tenth of its size.
package io.samplesort.gpu.inplace;
