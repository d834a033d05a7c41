/// Loaded kernels by their names, each with the shape of its blocks, and launches that several sorts share.
package io.samplesort.gpu.launch;
