package io.samplesort.bench.segments;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SegmentedSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Device memory for the first elements of each segment, and for where they begin.
///
/// @param wanted where they begin
record FirstTarget(SegmentOffsets wanted, long k, DeviceMemory elements, DeviceMemory offsets)
        implements AutoCloseable {
    static FirstTarget of(int ordinal, SegmentInput input, long k) {
        SegmentOffsets wanted = input.offsets().atMost(k);
        Device gpu = Device.gpu(ordinal);
        DeviceMemory elements =
                DeviceMemory.allocate(gpu, wanted.last() * input.type().byteSize());
        try {
            long offsetBytes = (wanted.segmentCount() + 1) * Long.BYTES;
            return new FirstTarget(wanted, k, elements, DeviceMemory.allocate(gpu, offsetBytes));
        } catch (RuntimeException | Error e) {
            elements.close();
            throw e;
        }
    }

    void select(SegmentedSorter sorter, DeviceMemory keys, DeviceMemory keyOffsets) {
        sorter.first(keys, keyOffsets, ElementType.LONG, k, elements, offsets);
    }

    /// Compares the elements with those of sorted segments.
    boolean isRight(SegmentInput input) {
        int bytes = input.type().byteSize();
        MemorySegment sorted = JdkSegments.segment(input.expected());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(elements.byteSize(), Long.BYTES);
            elements.copyTo(found);
            for (long i = 0; i < wanted.segmentCount(); i++) {
                long count = wanted.offset(i + 1) - wanted.offset(i);
                MemorySegment own = found.asSlice(wanted.offset(i) * bytes, count * bytes);
                long begin = input.offsets().offset(i) * bytes;
                if (own.mismatch(sorted.asSlice(begin, count * bytes)) != -1) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public void close() {
        try (elements) {
            offsets.close();
        }
    }
}
