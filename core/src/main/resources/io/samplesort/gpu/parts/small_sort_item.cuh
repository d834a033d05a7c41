// What small sorts sort: elements, or keys with their positions if equal keys keep their order.
#pragma once
#include "parts/exchange.cuh"
#include "parts/primitives.cuh"
#if KEEPS_ORDER
#include "parts/placed_keys.cuh"
using SmallSortItem = PlacedKey;
#else
using SmallSortItem = Element;
#endif
