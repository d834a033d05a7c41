/// The sort on the device: its phases and its passes, in the order in which they are put on a stream.
package io.samplesort.gpu.sort;
