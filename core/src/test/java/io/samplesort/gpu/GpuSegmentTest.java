package io.samplesort.gpu;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.SegmentContract;
import io.samplesort.SegmentedSorter;
import io.samplesort.SorterBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// Segments in the memory of a GPU, whose offsets lie there, too, as ints or as longs by turns.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSegmentTest extends SegmentContract {
    private boolean hasLongOffsets;

    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuSegmentSortTest.TINY);
    }

    @Override
    protected int count() {
        return 2600;
    }

    @Override
    protected int[] counts() {
        return new int[] {1, count()};
    }

    @Override
    protected void sort(SegmentedSorter sorter, MemorySegment keys, SegmentOffsets offsets, MemorySegment... payloads) {
        if (keys.byteSize() == 0) {
            // Device memory cannot be empty.
            return;
        }
        try (Copies copies = new Copies()) {
            DeviceMemory keyCopy = copies.of(keys);
            DeviceMemory[] payloadCopies = new DeviceMemory[payloads.length];
            for (int i = 0; i < payloads.length; i++) {
                payloadCopies[i] = copies.of(payloads[i]);
            }
            ElementType type = nextType();
            sorter.sort(keyCopy, copies.ofOffsets(offsets, type), type, payloadCopies);
            keyCopy.copyTo(keys);
            for (int i = 0; i < payloads.length; i++) {
                payloadCopies[i].copyTo(payloads[i]);
            }
        }
    }

    @Override
    protected void argsort(
            SegmentedSorter sorter, MemorySegment elements, SegmentOffsets offsets, MemorySegment permutation) {
        if (elements.byteSize() == 0) {
            return;
        }
        try (Copies copies = new Copies()) {
            DeviceMemory indexes = copies.of(permutation);
            ElementType type = nextType();
            sorter.argsort(copies.of(elements), copies.ofOffsets(offsets, type), type, indexes);
            indexes.copyTo(permutation);
        }
    }

    private ElementType nextType() {
        hasLongOffsets = !hasLongOffsets;
        return hasLongOffsets ? ElementType.LONG : ElementType.INT;
    }

    /// Copies of host memory on the device.
    static final class Copies implements AutoCloseable {
        private final List<DeviceMemory> all = new ArrayList<>();

        DeviceMemory of(MemorySegment source) {
            DeviceMemory copy = DeviceMemory.allocate(Device.gpu(0), source.byteSize());
            all.add(copy);
            copy.copyFrom(source);
            return copy;
        }

        DeviceMemory ofOffsets(SegmentOffsets offsets, ElementType type) {
            long[] longs = new long[(int) offsets.segmentCount() + 1];
            offsets.copyOffsets(0, longs, 0, longs.length);
            if (type.equals(ElementType.LONG)) {
                return of(MemorySegment.ofArray(longs));
            }
            int[] ints = new int[longs.length];
            for (int i = 0; i < ints.length; i++) {
                ints[i] = (int) longs[i];
            }
            return of(MemorySegment.ofArray(ints));
        }

        @Override
        public void close() {
            all.forEach(DeviceMemory::close);
        }
    }
}
