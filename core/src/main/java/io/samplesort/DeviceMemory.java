package io.samplesort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.host.DeviceCopies;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Memory of one GPU, for elements that stay there. Two threads must not use it at once.
public final class DeviceMemory implements AutoCloseable {
    private final Device device;
    private final Context context;
    private final DeviceAllocation allocation;
    private final DeviceCopies copies;
    private boolean closed;

    private DeviceMemory(Device device, Context context, DeviceAllocation allocation, DeviceCopies copies) {
        this.device = device;
        this.context = context;
        this.allocation = allocation;
        this.copies = copies;
    }

    /// Allocates `byteSize` bytes of unspecified content, aligned to 256.
    ///
    /// @param device a GPU, such as `Device.gpu(0)`
    /// @throws IllegalArgumentException          if `device` is no GPU or `byteSize` is not positive
    /// @throws io.samplesort.errors.GpuUnavailableException if the GPU cannot be used
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public static DeviceMemory allocate(Device device, long byteSize) {
        Objects.requireNonNull(device, "device");
        if (device.kind() != Device.Kind.GPU) {
            throw new IllegalArgumentException("device memory on " + device + ": name a GPU, such as gpu:0");
        }
        if (byteSize <= 0) {
            throw new IllegalArgumentException("device memory of " + byteSize + " bytes: the size must be positive");
        }
        Cuda.requireDriver();
        Context context = Context.retainPrimary(device.ordinal());
        try (Context.Scope scope = context.enter()) {
            long free = context.freeBytes();
            if (byteSize > free) {
                throw new InsufficientDeviceMemoryException("an allocation", byteSize, free);
            }
            DeviceAllocation allocation = DeviceAllocation.allocate(context, byteSize);
            return new DeviceMemory(device, context, allocation, new DeviceCopies(context));
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Returns the GPU this memory belongs to.
    public Device device() {
        return device;
    }

    /// Returns the device address of the first byte, for use with other CUDA code.
    ///
    /// @throws IllegalStateException if closed
    public long address() {
        requireOpen();
        return allocation.address();
    }

    /// Returns the size of this memory in bytes.
    public long byteSize() {
        return allocation.byteSize();
    }

    /// Copies all of `source`, heap or native, to the beginning of this memory, and waits until that is done.
    ///
    /// @throws IllegalArgumentException if `source` is larger than this memory
    /// @throws IllegalStateException    if closed
    public void copyFrom(MemorySegment source) {
        requireOpen();
        requireFits(source.byteSize());
        copies.toDevice(source, allocation.address());
    }

    /// Fills `target`, heap or native, from the beginning of this memory, and waits until that is done.
    ///
    /// @throws IllegalArgumentException if `target` is larger than this memory, or read-only
    /// @throws IllegalStateException    if closed
    public void copyTo(MemorySegment target) {
        requireOpen();
        requireFits(target.byteSize());
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("the target segment is read-only");
        }
        copies.toHost(allocation.address(), target);
    }

    private void requireFits(long bytes) {
        if (bytes > byteSize()) {
            throw new IllegalArgumentException(
                    "a segment of " + bytes + " bytes does not fit device memory of " + byteSize() + " bytes");
        }
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this DeviceMemory is closed");
        }
    }

    /// Frees the memory. A second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        // On a GPU that is lost, all of this fails but still gives back the host memory that it held.
        try (context;
                Context.Scope scope = context.enter();
                allocation) {
            copies.close();
        }
    }
}
