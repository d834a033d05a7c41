/// The entry of the GPU engine. Its rooms, from the ground up: `code` makes machine code for an element and an order,
/// `transfer` moves memory over the link, `sort` sorts on the device, `chunks` sorts host memory chunk by chunk.
package io.samplesort.gpu;
