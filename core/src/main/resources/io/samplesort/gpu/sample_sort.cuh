// What all kernels of one sort share. `config.cuh` is generated for an element type, an order and a tuning: it defines
// Key, OrderedKey, Payload, Element, less(a, b) and the constants. The rest is the same for all.
#pragma once
#include "config.cuh"

#include "primitives.cuh"
#include "segments.cuh"
#include "splitter_tree.cuh"
#include "exchange.cuh"
#include "merge_path.cuh"
#include "lane_networks.cuh"
#include "rotated_merge.cuh"
#include "block_sort.cuh"
#include "queues.cuh"
