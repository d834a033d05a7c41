/// The plan of a sort on the device: its passes, the room of its buckets, and the memory that it works in.
package io.samplesort.gpu.plan;
