/// From an element and an order to CUDA text, and from there to machine code that is kept.
package io.samplesort.gpu.code;
