/// Launches the kernels of a sort on the device: one typed method for each, with its grid, block and shared memory.
package io.samplesort.gpu.launch;
