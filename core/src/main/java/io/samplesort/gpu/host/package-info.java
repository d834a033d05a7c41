/// Sorts of host memory in chunks, also of more elements than the device has room for, and the copies over the link to
/// the device.
package io.samplesort.gpu.host;
