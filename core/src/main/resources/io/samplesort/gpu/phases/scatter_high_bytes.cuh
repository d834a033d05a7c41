// The first of two passes over elements with keys of 16 bits: by the high byte of the key's rank.
#pragma once
#include "parts/byte_scatter.cuh"

// `out` gets the low bytes of the ranks as its keys.
extern "C" __global__ void __launch_bounds__(kDistributionThreads, kByteScatterBlocks)
    scatter_high_bytes(ElementArray in, ElementArray out, Pass pass) {
    scatter_bytes<HighByte>(in, out, pass);
}
