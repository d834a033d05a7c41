package io.samplesort.gpu;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.SortedOperations;
import io.samplesort.SortedOperationsContract;
import io.samplesort.SorterBuilder;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// Operations on sorted elements in the memory of a GPU.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSortedTest extends SortedOperationsContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu();
    }

    @Override
    protected int[] sizes() {
        // Some thousand elements are several tiles of any type.
        return new int[] {1, 2, 300, 6000};
    }

    @Override
    protected boolean hasEmptyMemory() {
        return false;
    }

    @Override
    protected Memory memory() {
        return new InDeviceMemory();
    }

    /// Copies host memory to the device, and what was written there back.
    private static final class Copies implements AutoCloseable {
        private final List<DeviceMemory> all = new ArrayList<>();

        DeviceMemory of(MemorySegment source) {
            DeviceMemory copy = DeviceMemory.allocate(Device.gpu(0), source.byteSize());
            all.add(copy);
            copy.copyFrom(source);
            return copy;
        }

        List<DeviceMemory> of(List<MemorySegment> sources) {
            return sources.stream().map(this::of).toList();
        }

        /// Runs an operation with copies of the targets.
        long write(List<MemorySegment> targets, ToLongFunction<List<DeviceMemory>> operation) {
            List<DeviceMemory> copies = of(targets);
            try {
                return operation.applyAsLong(copies);
            } finally {
                for (int i = 0; i < copies.size(); i++) {
                    copies.get(i).copyTo(targets.get(i));
                }
            }
        }

        @Override
        public void close() {
            all.forEach(DeviceMemory::close);
        }
    }

    private static final class InDeviceMemory implements Memory {
        private static List<DeviceMemory> payloads(List<DeviceMemory> columns) {
            return columns.subList(1, columns.size());
        }

        @Override
        public void merge(SortedOperations operations, List<List<MemorySegment>> inputs, List<MemorySegment> targets) {
            try (Copies copies = new Copies()) {
                List<List<DeviceMemory>> all = inputs.stream().map(copies::of).toList();
                List<DeviceMemory> keys = all.stream().map(List::getFirst).toList();
                copies.write(targets, written -> {
                    if (written.size() == 1) {
                        operations.merge(keys, written.getFirst());
                    } else {
                        operations.merge(
                                keys,
                                all.stream().map(InDeviceMemory::payloads).toList(),
                                written.getFirst(),
                                payloads(written));
                    }
                    return 0;
                });
            }
        }

        @Override
        public long unique(SortedOperations operations, List<MemorySegment> columns, List<MemorySegment> targets) {
            try (Copies copies = new Copies()) {
                List<DeviceMemory> read = copies.of(columns);
                return copies.write(
                        targets,
                        written -> written.size() == 1
                                ? operations.unique(read.getFirst(), written.getFirst())
                                : operations.unique(
                                        read.getFirst(), payloads(read), written.getFirst(), payloads(written)));
            }
        }

        @Override
        public long counts(
                SortedOperations operations,
                MemorySegment keys,
                MemorySegment target,
                ElementType countType,
                MemorySegment counts) {
            try (Copies copies = new Copies()) {
                DeviceMemory read = copies.of(keys);
                return copies.write(
                        List.of(target, counts),
                        written -> operations.counts(read, written.get(0), countType, written.get(1)));
            }
        }

        @Override
        public long groups(
                SortedOperations operations, MemorySegment keys, ElementType offsetType, MemorySegment offsets) {
            try (Copies copies = new Copies()) {
                DeviceMemory read = copies.of(keys);
                return copies.write(
                        List.of(offsets), written -> operations.groups(read, offsetType, written.getFirst()));
            }
        }

        @Override
        public void bounds(
                SortedOperations operations,
                MemorySegment keys,
                MemorySegment queries,
                MemorySegment bounds,
                boolean isUpper) {
            try (Copies copies = new Copies()) {
                DeviceMemory read = copies.of(keys);
                DeviceMemory asked = copies.of(queries);
                copies.write(List.of(bounds), written -> {
                    if (isUpper) {
                        operations.upperBounds(read, asked, written.getFirst());
                    } else {
                        operations.lowerBounds(read, asked, written.getFirst());
                    }
                    return 0;
                });
            }
        }

        @Override
        public long combine(
                SortedOperations operations,
                SetOperation operation,
                List<MemorySegment> first,
                List<MemorySegment> second,
                List<MemorySegment> targets) {
            try (Copies copies = new Copies()) {
                List<DeviceMemory> ones = copies.of(first);
                List<DeviceMemory> others = copies.of(second);
                return copies.write(targets, written -> combineColumns(operations, operation, ones, others, written));
            }
        }

        private static long combineColumns(
                SortedOperations operations,
                SetOperation operation,
                List<DeviceMemory> first,
                List<DeviceMemory> second,
                List<DeviceMemory> targets) {
            DeviceMemory one = first.getFirst();
            DeviceMemory other = second.getFirst();
            DeviceMemory target = targets.getFirst();
            if (targets.size() == 1) {
                return switch (operation) {
                    case UNION -> operations.union(one, other, target);
                    case INTERSECTION -> operations.intersection(one, other, target);
                    case DIFFERENCE -> operations.difference(one, other, target);
                };
            }
            List<DeviceMemory> ones = payloads(first);
            List<DeviceMemory> others = payloads(second);
            List<DeviceMemory> more = payloads(targets);
            return switch (operation) {
                case UNION -> operations.union(one, ones, other, others, target, more);
                case INTERSECTION -> operations.intersection(one, ones, other, others, target, more);
                case DIFFERENCE -> operations.difference(one, ones, other, others, target, more);
            };
        }

        @Override
        public long firstOutOfOrder(SortedOperations operations, MemorySegment keys) {
            try (Copies copies = new Copies()) {
                return operations.firstOutOfOrder(copies.of(keys));
            }
        }
    }
}
