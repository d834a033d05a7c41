/// Sorts of host memory in chunks, also of more elements than the device has room for, and the link between the two.
package io.samplesort.gpu.host;
