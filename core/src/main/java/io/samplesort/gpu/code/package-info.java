/// Makes CUDA text from an element and an order. Whatever Java and the CUDA files share is defined here once:
/// [KernelConstants], [KernelStructs], [SizeClasses] and [SharedMemory].
package io.samplesort.gpu.code;
