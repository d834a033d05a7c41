/// Bindings to the CUDA driver and NVRTC through the Foreign Function and Memory API. They know nothing about sorting.
package io.samplesort.cuda;
