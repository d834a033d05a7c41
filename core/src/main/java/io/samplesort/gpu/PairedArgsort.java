package io.samplesort.gpu;

import io.samplesort.memory.LargeMemory;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/// Finds the order of elements in host memory on several GPUs that cannot hold all of them. It stably sorts a copy of
/// the elements with their indexes as payloads. Only one thread at a time may use it.
public final class PairedArgsort implements AutoCloseable {
    private final List<Integer> ordinals;
    private final ElementType key;
    private final Order order;
    private final GpuSortOptions options;
    /// Null before the first sort.
    private GpusSorter sorter;
    /// The type of the indexes that the sorter takes.
    private ElementType index;

    public PairedArgsort(List<Integer> ordinals, ElementType key, Order order, GpuSortOptions options) {
        this.ordinals = ordinals;
        this.key = key;
        this.order = order;
        this.options = options;
    }

    /// Writes the order of the elements to `permutation`.
    ///
    /// @param type of an index, `INT` or `LONG`
    public SortReport argsort(MemorySegment elements, MemorySegment permutation, ElementType type) {
        if (!type.equals(index)) {
            close();
            sorter = new GpusSorter(ordinals, new GpuSortSpec(key, List.of(type), order, true), options);
            index = type;
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment copy = LargeMemory.allocate(elements.byteSize(), arena);
            copy.copyFrom(elements);
            ascending(permutation, elements.byteSize() / key.byteSize());
            return sorter.sort(copy, List.of(permutation));
        }
    }

    private void ascending(MemorySegment permutation, long count) {
        for (long i = 0; i < count; i++) {
            if (index.byteSize() == Integer.BYTES) {
                permutation.set(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES, (int) i);
            } else {
                permutation.set(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES, i);
            }
        }
    }

    public Duration compileTime() {
        return sorter == null ? Duration.ZERO : sorter.compileTime();
    }

    @Override
    public void close() {
        if (sorter != null) {
            sorter.close();
            sorter = null;
            index = null;
        }
    }
}
