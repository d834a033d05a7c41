package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.segments.SegmentCpuSorter;
import io.samplesort.cpu.segments.SegmentSelection;
import io.samplesort.cpu.select.CpuSelector;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.cuda.Owned;
import io.samplesort.gpu.DeviceSegments;
import io.samplesort.gpu.GpuSortOptions;
import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.gpu.GpuSorter;
import io.samplesort.gpu.WantedOfSegments;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.SegmentOffsets;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The engines of one [SegmentedSorter]. Host memory is sorted on the CPU, whatever the device. For one thread at a
/// time.
final class SegmentEngines implements AutoCloseable {
    private static final String IN_HOST_MEMORY = "segments in host memory are sorted on the CPU";

    private final GpuSortSpec spec;
    private final GpuSortOptions gpuOptions;
    private final Device device;
    private final SegmentCpuSorter cpu;
    private final Map<OnGpu, GpuSorter> gpus = new HashMap<>();
    private final Owned owned = new Owned();
    private final int threads;
    private @Nullable SegmentSelection selection;

    private record OnGpu(int ordinal, GpuSortSpec sorted) {}

    /// @param mostThreads how many threads the CPU engine may use, if there are as many cores
    SegmentEngines(GpuSortSpec spec, GpuSortOptions gpuOptions, Device device, int mostThreads) {
        this.spec = spec;
        this.gpuOptions = gpuOptions;
        this.device = device;
        this.threads = Math.min(mostThreads, Parallel.commonParallelism());
        this.cpu = new SegmentCpuSorter(spec.key(), spec.payloads(), spec.order(), spec.isStable(), threads);
        owned.add(cpu);
        if (device.kind() == Device.Kind.GPU) {
            try {
                onGpu(device.ordinal(), spec);
            } catch (RuntimeException | Error e) {
                owned.closeAfter(e);
                throw e;
            }
        }
    }

    /// Sorts each segment of keys in host memory, and moves columns of payloads along.
    SortReport sort(MemorySegment keys, List<MemorySegment> columns, SegmentOffsets offsets) {
        List<MemorySegment> taken =
                columns.stream().map(column -> forCpu(column, offsets)).toList();
        return onCpu(cpu.sort(forCpu(keys, offsets), taken, offsets));
    }

    /// Writes the order of the elements of each segment to `permutation`.
    SortReport argsort(MemorySegment elements, SegmentOffsets offsets, MemorySegment permutation) {
        return onCpu(cpu.argsort(forCpu(elements, offsets), offsets, forCpu(permutation, offsets)));
    }

    /// Writes the first or the last `k` keys of each segment to `target`.
    SortReport select(MemorySegment keys, SegmentOffsets offsets, long k, boolean isLast, MemorySegment target) {
        return selecting(
                offsets, () -> selection().select(forCpu(keys, offsets), offsets, k, isLast, forCpu(target, offsets)));
    }

    /// Writes the indexes of the first or the last `k` elements of each segment to `indexes`.
    SortReport argselect(
            MemorySegment elements,
            SegmentOffsets offsets,
            long k,
            boolean isLast,
            MemorySegment indexes,
            int indexBytes) {
        return selecting(
                offsets,
                () -> selection()
                        .argselect(
                                forCpu(elements, offsets), offsets, k, isLast, forCpu(indexes, offsets), indexBytes));
    }

    private SortReport selecting(SegmentOffsets offsets, Runnable selection) {
        long start = System.nanoTime();
        selection.run();
        return onCpu(new SortReportBuilder(CpuSorter.deviceName(threads))
                .elementCount(offsets.last() - offsets.first())
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build());
    }

    private SegmentSelection selection() {
        if (selection == null) {
            CpuSelector selector = owned.add(new CpuSelector(spec.key(), spec.order(), threads));
            selection = new SegmentSelection(spec.key(), cpu, selector, threads);
        }
        return selection;
    }

    private MemorySegment forCpu(MemorySegment segment, SegmentOffsets offsets) {
        return Segments.forCpu(segment, offsets.last() - offsets.first(), spec.order());
    }

    private SortReport onCpu(SortReport report) {
        return device.kind() == Device.Kind.GPU
                ? new SortReportBuilder(report).fallbackReason(IN_HOST_MEMORY).build()
                : report;
    }

    /// Sorts each segment of keys in device memory, and moves payloads along. All memory is that of GPU `ordinal`.
    ///
    /// @param keys     device address of the keys
    /// @param payloads device addresses of the payloads
    /// @param count    how many keys there are
    SortReport sortOnDevice(int ordinal, long keys, long[] payloads, long count, DeviceSegments segments) {
        return onGpu(ordinal, spec).segmentSorter().sort(keys, payloads, count, segments);
    }

    /// Writes the order of the elements of each segment in device memory to a permutation there. All memory is that of
    /// GPU `ordinal`.
    ///
    /// @param elements    device address of the elements
    /// @param count       how many elements there are
    /// @param permutation device address of an index for each element
    /// @param index       the type of these indexes
    SortReport argsortOnDevice(
            int ordinal, long elements, long count, DeviceSegments segments, long permutation, ElementType index) {
        return onGpu(ordinal, alone(true))
                .segmentSorter()
                .argsort(elements, permutation, index.byteSize(), count, segments);
    }

    /// Writes the wanted keys of each segment in device memory, and returns how many there are. All memory is that of
    /// GPU `ordinal`.
    ///
    /// @param keys  device address of the keys
    /// @param count how many keys there are
    long selectOnDevice(int ordinal, long keys, long count, DeviceSegments segments, WantedOfSegments wanted) {
        // Numbers that are equal are the same, so that it does not matter which of them come.
        return onGpu(ordinal, alone(!(spec.order() instanceof NaturalOrder)))
                .segmentSorter()
                .select(keys, count, segments, wanted);
    }

    /// Writes the indexes of the wanted elements, of the type of the offsets, as [#selectOnDevice] writes the elements.
    long argselectOnDevice(int ordinal, long elements, long count, DeviceSegments segments, WantedOfSegments wanted) {
        return onGpu(ordinal, alone(true)).segmentSorter().argselect(elements, count, segments, wanted);
    }

    /// Returns what an engine sorts that sorts keys without payloads; if this is to be stable, by index.
    private GpuSortSpec alone(boolean isStable) {
        return new GpuSortSpec(spec.key(), List.of(), spec.order(), isStable);
    }

    /// Returns the engine of a GPU, which is made when it is first needed.
    private GpuSorter onGpu(int ordinal, GpuSortSpec sorted) {
        return gpus.computeIfAbsent(
                new OnGpu(ordinal, sorted), key -> owned.add(new GpuSorter(ordinal, sorted, gpuOptions)));
    }

    /// Returns the number of the GPU that the memory of one sort belongs to.
    ///
    /// @throws IllegalStateException    if the sorter is for the CPU
    /// @throws IllegalArgumentException if the memory is of two GPUs, or not of that of this sorter
    int gpuOf(DeviceMemory memory, DeviceMemory... others) {
        int ordinal = DeviceChecks.gpuOf(device, memory, others);
        if (device.kind() == Device.Kind.GPU) {
            DeviceChecks.checkGpu(device.ordinal(), ordinal);
        }
        return ordinal;
    }

    /// Returns how many bytes of host memory the CPU engine keeps for the next sort.
    long keptBytes() {
        return cpu.keptBytes();
    }

    @Override
    public void close() {
        owned.close();
    }
}
