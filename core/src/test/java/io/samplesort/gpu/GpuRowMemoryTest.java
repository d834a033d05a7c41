package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ColumnSorter;
import io.samplesort.Device;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorts and selections of rows where hardly more device memory is free than they take. What they have taken already is
/// not free, and does not count once more.
@Tag("gpu")
@Tag("alone")
@ExtendWith(GpuEnvironment.class)
class GpuRowMemoryTest {
    private static final int WANTED = 10;

    /// Works on some columns, and writes indexes.
    private interface Work {
        SortReport run(ColumnSorter sorter, List<DeviceKeyColumn> columns, DeviceMemory indexes);
    }

    /// A real GPU gives memory in large steps, and other programs may use it, so that much is left there.
    private static int count() {
        return CudaDevice.get(0).name().startsWith("emulated") ? 20_000 : 1 << 23;
    }

    /// @param spare how much more is free than the work takes
    private static int[] run(List<KeyColumn> keys, long spare, int results, Work work) {
        int[] found = new int[results];
        try (ColumnsOnDevice device = new ColumnsOnDevice()) {
            List<DeviceKeyColumn> columns = keys.stream().map(device::column).toList();
            DeviceMemory indexes = device.room(4L * results);
            long taken;
            try (ColumnSorter sorter = sorter()) {
                taken = work.run(sorter, columns, indexes).extraBytes();
            }
            try (ColumnSorter sorter = sorter();
                    DeviceMemory hog = DeviceMemory.allocate(Device.gpu(0), freeBytes() - taken - spare)) {
                work.run(sorter, columns, indexes);
                assertThat(hog.byteSize()).isPositive();
            }
            indexes.copyTo(MemorySegment.ofArray(found));
        }
        return found;
    }

    private static ColumnSorter sorter() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).buildColumns();
    }

    /// Returns what sorts may take of the memory that is free.
    private static long freeBytes() {
        try (Context context = Context.retainPrimary(0);
                Context.Scope scope = context.enter()) {
            return context.freeBytes() - Math.min(256L << 20, context.device().totalBytes() / 128);
        }
    }

    private static int[] expected(KeyColumn... keys) {
        try (ColumnSorter onCpu = SampleSort.onCpu().buildColumns()) {
            return onCpu.argsort(keys);
        }
    }

    @Test
    void wordsCountOnce() {
        KeyColumn keys = KeyColumn.of(new SplittableRandom(17).ints(count()).toArray());
        int[] found = run(
                List.of(keys),
                2L * count(),
                WANTED,
                (sorter, columns, indexes) -> sorter.argfirst(WANTED, columns, indexes));
        assertThat(found).isEqualTo(Arrays.copyOf(expected(keys), WANTED));
    }

    @Test
    void offsetsOfEncodedRowsCountOnce() {
        SplittableRandom random = new SplittableRandom(18);
        KeyColumn first = KeyColumn.of(random.longs(count()).toArray());
        KeyColumn second = KeyColumn.of(random.longs(count()).toArray());
        int[] order = expected(first, second);
        int[] found = run(
                List.of(first, second),
                2L * count(),
                order.length,
                (sorter, columns, indexes) -> sorter.argsort(columns, indexes));
        assertThat(found).isEqualTo(order);
        int[] last = run(
                List.of(first, second),
                2L * count(),
                WANTED,
                (sorter, columns, indexes) -> sorter.arglast(WANTED, columns, indexes));
        assertThat(last).isEqualTo(Arrays.copyOfRange(order, order.length - WANTED, order.length));
    }
}
