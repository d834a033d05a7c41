/// The sort on the device: its plan, its memory, its phases, and the one place that launches kernels.
package io.samplesort.gpu.sort;
