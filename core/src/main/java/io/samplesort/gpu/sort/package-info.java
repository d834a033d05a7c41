/// Sorts of one array on the device. There is a class for each way to sort, and a choice between them; each way puts
/// its phases on a stream, in order.
package io.samplesort.gpu.sort;
