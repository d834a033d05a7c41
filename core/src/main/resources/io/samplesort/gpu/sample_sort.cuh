// What all kernels of one sort share. `config.cuh` is generated for an element type, an order and a tuning: it defines
// Key, OrderedKey, Payload, Element, less(a, b) and the constants. The rest is the same for all sorts.
#pragma once
#include "config.cuh"

#include "parts/primitives.cuh"
#include "parts/segments.cuh"
#include "parts/splitter_tree.cuh"
#include "parts/exchange.cuh"
#include "parts/merge_path.cuh"
#include "parts/lane_networks.cuh"
#include "parts/rotated_merge.cuh"
#include "parts/block_sort.cuh"
#include "parts/queues.cuh"
