package io.samplesort.gpu.sort;

/// The buckets of the first pass that are divided further and sorted together: those from `begin` to `end`. A launch
/// sees the segments of one group, or all.
///
/// @param number which group, from 0
record Group(int number, long begin, long end) {}
