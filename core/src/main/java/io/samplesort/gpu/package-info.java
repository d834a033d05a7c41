/// The entry of the GPU engine. Its rooms: `code` makes CUDA text for an element and an order, `cubins` turns it into
/// machine code, `launch` has the kernels and their memory, `sort` sorts on the device, `inplace` does so with little
/// memory, `rows` sorts strings and key columns, `host` sorts host memory in chunks, and `exchange` sorts one array on
/// several GPUs.
package io.samplesort.gpu;
