package io.samplesort;

import io.samplesort.gpu.GpuColumnSorter;
import io.samplesort.gpu.GpuSortOptions;
import org.jspecify.annotations.Nullable;

/// The engine of a [ColumnSorter] for device memory, which is made when it is first needed. For one thread at a time.
final class ColumnEngine implements AutoCloseable {
    private final Device device;
    private final GpuSortOptions options;
    private @Nullable GpuColumnSorter gpu;

    ColumnEngine(Device device, GpuSortOptions options) {
        this.device = device;
        this.options = options;
    }

    /// Returns the engine.
    ///
    /// @throws IllegalStateException    if the sorter is for the CPU
    /// @throws IllegalArgumentException if the memory is of another GPU
    GpuColumnSorter gpuFor(DeviceMemory memory, DeviceMemory... others) {
        int ordinal = DeviceChecks.gpuOf(device, memory, others);
        if (gpu == null) {
            int own = device.kind() == Device.Kind.GPU ? device.ordinal() : ordinal;
            DeviceChecks.checkGpu(own, ordinal);
            gpu = new GpuColumnSorter(ordinal, options);
        }
        DeviceChecks.checkGpu(gpu.ordinal(), ordinal);
        return gpu;
    }

    /// Returns whether a GPU was named.
    boolean isForGpu() {
        return device.kind() == Device.Kind.GPU;
    }

    @Override
    public void close() {
        if (gpu != null) {
            gpu.close();
        }
    }
}
