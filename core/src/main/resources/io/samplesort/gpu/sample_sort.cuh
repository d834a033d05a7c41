// The kernels of one sort. `config.cuh` is generated for an element type, an order and a tuning: it defines Key,
// OrderedKey, Payload, Element, less(a, b) and the constants. The rest is the same for all.
#include "config.cuh"

#include "primitives.cuh"
#include "segments.cuh"
#include "splitter_tree.cuh"
#include "exchange.cuh"
#include "merge_path.cuh"
#include "block_sort.cuh"
#include "queues.cuh"
#include "prepare.cuh"
#include "select_splitters.cuh"
#include "count_buckets.cuh"
#include "scan_counts.cuh"
#include "scatter.cuh"
#include "small_sort.cuh"
#include "merge_sort.cuh"
#include "find_cuts.cuh"
#if SORTS_INDEXES
#include "gather.cuh"
#endif
