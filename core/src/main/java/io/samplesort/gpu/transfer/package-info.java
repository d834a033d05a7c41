/// The link between host and device memory: pinned buffers, and the threads that fill and empty them.
package io.samplesort.gpu.transfer;
