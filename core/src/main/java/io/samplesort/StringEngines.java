package io.samplesort;

import io.samplesort.cpu.strings.StringCpuSorter;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.ComingKernels;
import io.samplesort.gpu.GpuSortOptions;
import io.samplesort.gpu.GpuStringSorter;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The engines of one [StringSorter]. That of a GPU that was named is made at once, the others when they are first
/// needed. For one thread at a time.
final class StringEngines implements AutoCloseable {
    private final StringOrder order;
    private final Device device;
    private final long gpuThreshold;
    private final int cpuThreads;
    private final LazyGpu<GpuStringSorter> gpu;
    private @Nullable StringCpuSorter cpu;

    /// @param gpuThreshold the number of strings from which on the device `auto` sorts host memory on the GPU
    /// @param mostThreads  how many threads the CPU engine may use, if there are as many cores
    /// @param waitsForGpu  whether a sort on the device `auto` waits for the kernels of the GPU
    StringEngines(
            StringOrder order,
            GpuSortOptions gpuOptions,
            Device device,
            long gpuThreshold,
            int mostThreads,
            boolean waitsForGpu) {
        this.order = order;
        this.device = device;
        this.gpuThreshold = gpuThreshold;
        this.cpuThreads = Math.min(mostThreads, Parallel.commonParallelism());
        gpu = new LazyGpu<>(
                (ordinal, isAwaited) -> ComingKernels.ofStrings(ordinal, gpuOptions, isAwaited),
                kernels -> new GpuStringSorter(kernels, order),
                waitsForGpu ? 0 : LazyGpu.MOST_ELEMENTS_PER_CORE * cpuThreads);
        if (device.kind() == Device.Kind.GPU) {
            gpu.on(device.ordinal());
        }
    }

    /// Returns the engine of the CPU.
    StringCpuSorter cpu() {
        if (cpu == null) {
            cpu = new StringCpuSorter(order, cpuThreads);
        }
        return cpu;
    }

    /// Sorts host memory on the device of this sorter. For the device `auto`, the CPU sorts where the GPU cannot.
    ///
    /// @param permutation as many indexes as there are strings
    /// @param indexBytes  bytes of an index, 4 or 8
    /// @param isOwned     as [StringCpuSorter#argsort(Strings, MemorySegment, int, boolean)] has it
    SortReport argsort(Strings strings, MemorySegment permutation, int indexBytes, boolean isOwned) {
        if (device.kind() == Device.Kind.CPU || device.kind() == Device.Kind.AUTO && strings.count() < gpuThreshold) {
            return cpu().argsort(strings, permutation, indexBytes, isOwned);
        }
        if (device.kind() == Device.Kind.GPU) {
            return argsortOnGpu(strings, permutation, indexBytes);
        }
        String obstacle = gpu.obstacle(strings.count()).orElse(null);
        if (obstacle == null) {
            try {
                return argsortOnGpu(strings, permutation, indexBytes);
            } catch (GpuUnavailableException | InsufficientDeviceMemoryException e) {
                obstacle = e.getMessage();
            }
        }
        return new SortReportBuilder(cpu().argsort(strings, permutation, indexBytes, isOwned))
                .fallbackReason(obstacle)
                .build();
    }

    private SortReport argsortOnGpu(Strings strings, MemorySegment permutation, int indexBytes) {
        Strings shared =
                strings.in(Segments.forGpu("bytes", strings.bytes()), Segments.forGpu("offsets", strings.offsets()));
        return gpu.on(device.ordinal()).argsort(shared, Segments.forGpu("permutation", permutation), indexBytes);
    }

    /// Returns the engine for device memory.
    ///
    /// @throws IllegalStateException    if this sorter is for the CPU
    /// @throws IllegalArgumentException if the memory is of another GPU
    GpuStringSorter gpuFor(DeviceMemory memory, DeviceMemory... others) {
        int ordinal = DeviceChecks.gpuOf(device, memory, others);
        GpuStringSorter engine = gpu.on(ordinal);
        DeviceChecks.checkGpu(engine.ordinal(), ordinal);
        return engine;
    }

    /// Returns how many bytes of host memory the CPU engine keeps for the next sort.
    long keptBytes() {
        return cpu == null ? 0 : cpu.keptBytes();
    }

    @Override
    public void close() {
        try {
            if (cpu != null) {
                cpu.close();
            }
        } finally {
            if (gpu.orNull() != null) {
                gpu.orNull().close();
            }
        }
    }
}
