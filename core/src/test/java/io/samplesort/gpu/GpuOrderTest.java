package io.samplesort.gpu;

import io.samplesort.ColumnSorter;
import io.samplesort.DeviceMemory;
import io.samplesort.OrderCase.Direction;
import io.samplesort.OrderContract;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.StringSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// The order of every form of input on a GPU, in host memory and in its own.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuOrderTest extends OrderContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY.with("smallSortCells=0"));
    }

    @Override
    protected int[] sizes() {
        return new int[] {700};
    }

    @Override
    protected boolean sortsElements(ElementType type, Direction direction) {
        return switch (direction) {
            case PLAIN -> type.equals(ElementType.DOUBLE) || type.equals(ElementType.INT);
            case REVERSED -> type.equals(ElementType.DOUBLE) || type.equals(ElementType.FLOAT);
            default -> false;
        };
    }

    @Override
    protected List<int[]> argsorts(ColumnSorter sorter, KeyColumn column) {
        int[] onHost = sorter.argsort(column);
        try (ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceMemory permutation = device.room((long) Integer.BYTES * onHost.length);
            sorter.argsort(List.of(device.column(column)), permutation);
            return List.of(onHost, ints(permutation, onHost.length));
        }
    }

    @Override
    protected List<int[]> argsorts(StringSorter sorter, Strings strings) {
        int[] onHost = sorter.argsort(strings);
        try (ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceMemory permutation = device.room((long) Integer.BYTES * onHost.length);
            sorter.argsort(device.strings(strings), permutation);
            return List.of(onHost, ints(permutation, onHost.length));
        }
    }

    private static int[] ints(DeviceMemory memory, int count) {
        int[] ints = new int[count];
        memory.copyTo(MemorySegment.ofArray(ints));
        return ints;
    }
}
