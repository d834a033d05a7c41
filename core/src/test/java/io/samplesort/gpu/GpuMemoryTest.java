package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorting in device memory, ours and that of other programs, and what happens when there is too little of it.
@Tag("gpu")
@Tag("alone")
@ExtendWith(GpuEnvironment.class)
class GpuMemoryTest {
    private static final Device GPU = Device.gpu(0);

    @Test
    void sortsDeviceMemory() {
        long[] keys = random(200_003);
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (DeviceMemory memory = DeviceMemory.allocate(GPU, keys.length * 8L);
                Sorter sorter = SampleSort.onGpu().timesPhases().build(ElementType.LONG)) {
            memory.copyFrom(MemorySegment.ofArray(keys));
            SortReport report = sorter.sort(memory);
            memory.copyTo(MemorySegment.ofArray(keys));
            assertThat(keys).isEqualTo(expected);
            assertThat(report.elementCount()).isEqualTo(keys.length);
            assertThat(report.passes()).isPositive();
            assertThat(report.largestBucket()).isBetween(1L, (long) keys.length);
            assertThat(report.phases()).extracting(SortReport.Phase::name).contains("scatter", "small_sort");
        }
    }

    /// The memory is large enough for several threads to copy it.
    @Test
    void copiesConfinedMemory() throws InterruptedException {
        long bytes = 8 << 20;
        try (Arena arena = Arena.ofConfined();
                DeviceMemory memory = DeviceMemory.allocate(GPU, bytes)) {
            MemorySegment source = arena.allocate(bytes, Long.BYTES);
            source.copyFrom(MemorySegment.ofArray(random((int) bytes / Long.BYTES)));
            MemorySegment target = arena.allocate(bytes, Long.BYTES);
            memory.copyFrom(source);
            memory.copyTo(target);
            assertThat(target.mismatch(source)).isEqualTo(-1);
            Throwable[] thrown = new Throwable[1];
            Thread other = new Thread(() -> thrown[0] = catchThrowable(() -> memory.copyTo(target)));
            other.start();
            other.join();
            assertThat(thrown[0])
                    .isInstanceOf(WrongThreadException.class)
                    .hasMessage("the segment of the target is confined to another thread");
        }
    }

    /// A listener could close the arena while other threads copy.
    @Test
    void confinedMemoryIsNotSortedWhileAListenerWatches() {
        long[] keys = random(1 << 18);
        try (Arena arena = Arena.ofConfined();
                Sorter gpu = SampleSort.onGpu().listener(new SortListener() {}).build(ElementType.LONG);
                Sorter best = SampleSort.onBestDevice()
                        .gpuThreshold(0)
                        .listener(new SortListener() {})
                        .build(ElementType.LONG)) {
            MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_LONG, keys);
            assertThatThrownBy(() -> gpu.sort(memory))
                    .isInstanceOf(GpuUnavailableException.class)
                    .hasMessageContaining("the segment of the keys is confined to this thread")
                    .hasMessageEndingWith("use memory of a shared arena, or no listener");
            assertThat(memory.toArray(ValueLayout.JAVA_LONG)).isEqualTo(keys);
            best.elementCost(keys.length);
            assertThat(best.sort(memory).fallbackReason().orElseThrow()).contains("confined");
            Arrays.sort(keys);
            assertThat(memory.toArray(ValueLayout.JAVA_LONG)).isEqualTo(keys);
        }
    }

    @Test
    void sortsAsynchronouslyOnSomebodyElsesStream() {
        long[] keys = random(100_000);
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (DeviceMemory first = DeviceMemory.allocate(GPU, keys.length * 8L);
                DeviceMemory second = DeviceMemory.allocate(GPU, keys.length * 8L);
                Sorter sorter = SampleSort.onGpu().build(ElementType.LONG);
                Context context = Context.retainPrimary(0);
                Context.Scope scope = context.enter();
                Stream firstStream = Stream.create(context);
                Stream secondStream = Stream.create(context)) {
            first.copyFrom(MemorySegment.ofArray(keys));
            second.copyFrom(MemorySegment.ofArray(keys));
            // Two sorts of one sorter under way at once.
            sorter.sortAsync(first, firstStream.handle());
            sorter.sortAsync(second, secondStream.handle());
            firstStream.synchronize();
            secondStream.synchronize();
            first.copyTo(MemorySegment.ofArray(keys));
            assertThat(keys).isEqualTo(expected);
            second.copyTo(MemorySegment.ofArray(keys));
            assertThat(keys).isEqualTo(expected);
        }
    }

    @Test
    void sortsHostMemoryInPartsWhereThereIsLittleMemory() {
        // A real GPU gives memory in large steps, and other programs may use it, so that much is left there.
        boolean isEmulated = CudaDevice.get(0).name().startsWith("emulated");
        long[] keys = random(isEmulated ? 1 << 18 : 1 << 24);
        long left = isEmulated ? 3L << 20 : 64L << 20;
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (Sorter gpu = SampleSort.onGpu().timesPhases().build(ElementType.LONG)) {
            long free;
            // The kernels are loaded now; a real GPU keeps them in memory that is not free any more.
            try (Context context = Context.retainPrimary(0);
                    Context.Scope scope = context.enter()) {
                // Sorts leave some of what is free to the gaps of the pool (Phases).
                free = context.freeBytes()
                        - Math.min(256L << 20, context.device().totalBytes() / 128);
            }
            try (DeviceMemory hog = DeviceMemory.allocate(GPU, free - left)) {
                SortReport report = gpu.sort(keys);
                assertThat(report.stages().getFirst().bytes()).as("up, twice").isEqualTo(2 * 8L * keys.length);
                assertThat(keys).isEqualTo(expected);
                assertThat(hog.byteSize()).isPositive();
            }
        }
    }

    @Test
    void tooLittleMemoryFailsOnTheGpuAndFallsBackOnTheBestDevice() {
        long[] keys = random(1 << 20);
        long[] expected = keys.clone();
        Arrays.sort(expected);
        long[] untouched = keys.clone();
        try (Sorter gpu = SampleSort.onGpu().deviceMemory(1000).build(ElementType.LONG);
                Sorter best = SampleSort.onBestDevice().deviceMemory(1000).build(ElementType.LONG);
                DeviceMemory memory = DeviceMemory.allocate(GPU, keys.length * 8L)) {
            assertThatThrownBy(() -> gpu.sort(keys))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("bytes of device memory");
            assertThatThrownBy(() -> gpu.sort(memory)).isInstanceOf(InsufficientDeviceMemoryException.class);
            assertThat(keys).isEqualTo(untouched);
            best.elementCost(keys.length);
            SortReport report = best.sort(keys);
            assertThat(report.fallbackReason())
                    .hasValueSatisfying(r -> assertThat(r).contains("device memory"));
            assertThat(keys).isEqualTo(expected);
        }
    }

    @Test
    void bufferTooLargeIsRefused() {
        assertThatThrownBy(() -> DeviceMemory.allocate(GPU, 1L << 50))
                .isInstanceOf(InsufficientDeviceMemoryException.class);
        assertThatThrownBy(() -> DeviceMemory.allocate(Device.cpu(), 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DeviceMemory.allocate(GPU, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sortsACopy() {
        for (String tuning : List.of("", "extraPercent=130", "bucketSlack=1,oversampling=1")) {
            for (int count : new int[] {1, 500, 20_000}) {
                double[] keys = new Random(count).doubles(count, -1, 1).toArray();
                try (DeviceMemory source = DeviceMemory.allocate(GPU, count * 8L);
                        DeviceMemory target = DeviceMemory.allocate(GPU, count * 8L);
                        Sorter sorter = SampleSort.onGpu()
                                .tuning(GpuContractTest.TINY.with(tuning))
                                .build(ElementType.DOUBLE)) {
                    source.copyFrom(MemorySegment.ofArray(keys));
                    sorter.sortedCopy(source, target);
                    double[] result = new double[count];
                    target.copyTo(MemorySegment.ofArray(result));
                    double[] expected = keys.clone();
                    Arrays.sort(expected);
                    assertThat(result).as("%d doubles, %s", count, tuning).isEqualTo(expected);
                    source.copyTo(MemorySegment.ofArray(result));
                    assertThat(result)
                            .as("source of %d doubles, %s", count, tuning)
                            .isEqualTo(keys);
                    assertThatThrownBy(() -> sorter.sortedCopy(source, source))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("the same device memory");
                    try (DeviceMemory larger = DeviceMemory.allocate(GPU, count * 8L + 8)) {
                        assertThatThrownBy(() -> sorter.sortedCopy(source, larger))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("both must have the same size");
                    }
                }
            }
        }
    }

    @Test
    void closedDeviceMemoryIsRefused() {
        DeviceMemory memory = DeviceMemory.allocate(GPU, 800);
        memory.close();
        memory.close();
        try (Sorter sorter = SampleSort.onGpu().build(ElementType.LONG)) {
            assertThatThrownBy(() -> sorter.sort(memory))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    private static long[] random(int count) {
        return new SplittableRandom(5).longs(count).toArray();
    }
}
