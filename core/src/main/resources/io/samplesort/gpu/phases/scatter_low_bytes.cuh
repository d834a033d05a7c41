// The last pass over elements with keys of 8 or 16 bits: by the key's rank, or by the low byte of it, which the pass
// before has left. It moves payloads alone.
#pragma once
#include "parts/byte_scatter.cuh"

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kByteScatterBlocks)
    scatter_low_bytes(ElementArray in, ElementArray out, Pass pass) {
    scatter_bytes<LowByte>(in, out, pass);
}
