// The last pass over elements with keys of 8 or 16 bits: by the key's rank, or by its low byte, which the previous pass
// has left. It moves only payloads.
#pragma once
#include "parts/byte_scatter.cuh"

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kByteScatterBlocks)
    scatter_low_bytes(ElementArray in, ElementArray out, Pass pass) {
    scatter_bytes<LowByte>(in, out, pass);
}
