/// Sorts of host memory in chunks, also of more elements than the device has room for.
package io.samplesort.gpu.chunks;
