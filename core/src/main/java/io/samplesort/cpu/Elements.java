package io.samplesort.cpu;

import java.lang.foreign.MemorySegment;

/// Elements in memory: the user's, encoded, or ours, decoded.
///
/// @param payloads null where elements have none
record Elements(MemorySegment keys, MemorySegment payloads, boolean encoded) {}
