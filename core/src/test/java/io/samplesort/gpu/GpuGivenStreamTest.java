package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.ColumnSorter;
import io.samplesort.Device;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.SegmentedSorter;
import io.samplesort.Selector;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.types.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Work on a stream that the builder was given follows what is on that stream already, without a wait of the host.
@Tag("gpu")
@Tag("alone")
@ExtendWith(GpuEnvironment.class)
class GpuGivenStreamTest {
    private static final Device GPU = Device.gpu(0);
    private static final int COUNT = 30_000;

    private final long[] keys = new Random(5).longs(COUNT, 0, 20_000).toArray();
    private final long[] sorted = Arrays.stream(keys).sorted().toArray();

    /// Works with elements that the stream is still about to copy to the device.
    private interface Work {
        void run(SorterBuilder builder, DeviceMemory elements, DeviceMemory result);
    }

    /// Returns what is in the memory for the result after the work.
    private long[] run(Work work) {
        long bytes = COUNT * 8L;
        try (Arena arena = Arena.ofConfined();
                DeviceMemory elements = DeviceMemory.allocate(GPU, bytes);
                DeviceMemory result = DeviceMemory.allocate(GPU, bytes);
                Context context = Context.retainPrimary(0);
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context)) {
            MemorySegment host = arena.allocate(bytes, 8);
            MemorySegment.copy(keys, 0, host, ValueLayout.JAVA_LONG, 0, COUNT);
            stream.copyToDevice(elements.address(), host, bytes);
            stream.copyToDevice(result.address(), host, bytes);
            work.run(SampleSort.onGpu().stream(stream.handle()), elements, result);
            MemorySegment back = arena.allocate(bytes, 8);
            stream.copyToHost(back, result.address(), bytes);
            stream.synchronize();
            return back.toArray(ValueLayout.JAVA_LONG);
        }
    }

    @Test
    void sorts() {
        assertThat(run((builder, elements, result) -> {
                    try (Sorter sorter = builder.build(ElementType.LONG)) {
                        sorter.sort(result);
                    }
                }))
                .isEqualTo(sorted);
    }

    @Test
    void argsorts() {
        long[] permutation = run((builder, elements, result) -> {
            try (Sorter sorter = builder.build(ElementType.LONG)) {
                sorter.argsort(elements, result);
            }
        });
        assertThat(Arrays.stream(permutation).map(i -> keys[(int) i]).toArray()).isEqualTo(sorted);
    }

    @Test
    void sortsSegments() {
        int half = COUNT / 2;
        long[] expected = keys.clone();
        Arrays.sort(expected, 0, half);
        Arrays.sort(expected, half, COUNT);
        try (DeviceMemory offsets = DeviceMemory.allocate(GPU, 3 * 4L)) {
            offsets.copyFrom(MemorySegment.ofArray(new int[] {0, half, COUNT}));
            assertThat(run((builder, elements, result) -> {
                        try (SegmentedSorter sorter = builder.buildSegmented(ElementType.LONG)) {
                            sorter.sort(result, offsets, ElementType.INT);
                        }
                    }))
                    .isEqualTo(expected);
        }
    }

    @Test
    void selectsFromSegments() {
        int half = COUNT / 2;
        long[] expected = keys.clone();
        Arrays.sort(expected, 0, half);
        Arrays.sort(expected, half, COUNT);
        try (DeviceMemory offsets = DeviceMemory.allocate(GPU, 3 * 4L);
                DeviceMemory places = DeviceMemory.allocate(GPU, 3 * 4L)) {
            offsets.copyFrom(MemorySegment.ofArray(new int[] {0, half, COUNT}));
            long[] first = run((builder, elements, result) -> {
                try (SegmentedSorter sorter = builder.buildSegmented(ElementType.LONG)) {
                    assertThat(sorter.first(elements, offsets, ElementType.INT, 2, result, places))
                            .isEqualTo(4);
                }
            });
            assertThat(Arrays.copyOf(first, 4))
                    .containsExactly(expected[0], expected[1], expected[half], expected[half + 1]);
        }
    }

    @Test
    void selects() {
        int wanted = 100;
        long[] first = run((builder, elements, result) -> {
            try (Selector selector = builder.buildSelector(ElementType.LONG)) {
                selector.first(elements, wanted, result.slice(0, wanted * 8L));
            }
        });
        assertThat(Arrays.copyOf(first, wanted)).isEqualTo(Arrays.copyOf(sorted, wanted));
    }

    @Test
    void selectsRows() {
        int wanted = 100;
        long[] first = run((builder, elements, result) -> {
            try (ColumnSorter sorter = builder.buildColumns()) {
                DeviceKeyColumn column = DeviceKeyColumn.of(elements, ElementType.LONG);
                sorter.argfirst(wanted, List.of(column), result.slice(0, wanted * 8L));
            }
        });
        assertThat(Arrays.stream(first, 0, wanted).map(i -> keys[(int) i]).toArray())
                .isEqualTo(Arrays.copyOf(sorted, wanted));
    }

    @Test
    void aStreamIsForOneGpu() {
        assertThatThrownBy(() -> SampleSort.onGpus(0, 1).stream(0).build(ElementType.LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stream")
                .hasMessageContaining("gpu:0");
    }
}
