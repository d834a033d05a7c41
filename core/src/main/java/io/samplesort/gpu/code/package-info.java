/// Makes CUDA text from an element and an order, and machine code from the text, which is kept. What Java and the CUDA
/// files share has one owner here: [KernelConstants], [KernelStructs], [SizeClasses] and [SharedMemory].
package io.samplesort.gpu.code;
