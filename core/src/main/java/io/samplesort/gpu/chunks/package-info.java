/// Sorts of host memory in chunks, of more elements than the device has room for, too.
package io.samplesort.gpu.chunks;
