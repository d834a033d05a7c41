/// Makes CUDA text from an element and an order. What Java and the CUDA
/// files share has one owner here: [KernelConstants], [KernelStructs], [SizeClasses] and [SharedMemory].
package io.samplesort.gpu.code;
