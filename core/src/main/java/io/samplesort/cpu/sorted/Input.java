package io.samplesort.cpu.sorted;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Sorted keys, and payloads that belong to them.
///
/// @param columns the keys, and payloads if there are any
/// @param count   how many elements there are
record Input(List<MemorySegment> columns, long count) {
    MemorySegment keys() {
        return columns.getFirst();
    }
}
