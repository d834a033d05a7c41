/// One array in device memory, sorted in place with a tenth of its size beside it.
package io.samplesort.gpu.inplace;
