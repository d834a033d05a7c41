package io.samplesort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.host.DeviceCopies;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Memory of one GPU, for elements that stay there: memory of its own ([#allocate]), memory of another library
/// ([#wrap]), or a part of either ([#slice]). Two threads must not use it at once, nor it and its slices.
public final class DeviceMemory implements AutoCloseable {
    private final Device device;
    private final Context context;
    private final long address;
    private final long byteSize;
    private final DeviceCopies copies;

    /// What is freed with this memory; null if this is a slice, or memory of another library.
    private final @Nullable DeviceAllocation allocation;

    /// What this is a slice of; null if it is none.
    private final @Nullable DeviceMemory whole;

    private boolean closed;

    private DeviceMemory(
            Device device, Context context, long address, long byteSize, @Nullable DeviceAllocation allocation) {
        this.device = device;
        this.context = context;
        this.address = address;
        this.byteSize = byteSize;
        this.copies = new DeviceCopies(context);
        this.allocation = allocation;
        this.whole = null;
    }

    private DeviceMemory(DeviceMemory whole, long offset, long byteSize) {
        this.device = whole.device;
        this.context = whole.context;
        this.address = whole.address + offset;
        this.byteSize = byteSize;
        this.copies = whole.copies;
        this.allocation = null;
        this.whole = whole;
    }

    /// Allocates `byteSize` bytes of unspecified content, aligned to 256.
    ///
    /// @param device a GPU, such as `Device.gpu(0)`
    /// @throws IllegalArgumentException          if `device` is no GPU or `byteSize` is not positive
    /// @throws io.samplesort.errors.GpuUnavailableException if the GPU cannot be used
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public static DeviceMemory allocate(Device device, long byteSize) {
        requireGpu(device, byteSize);
        Cuda.requireDriver();
        Context context = Context.retainPrimary(device.ordinal());
        try (Context.Scope scope = context.enter()) {
            long free = context.freeBytes();
            if (byteSize > free) {
                throw new InsufficientDeviceMemoryException("an allocation on " + device, byteSize, free);
            }
            DeviceAllocation allocation = DeviceAllocation.allocate(context, byteSize);
            return new DeviceMemory(device, context, allocation.address(), byteSize, allocation);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Takes memory that another library has allocated in the primary context of a GPU, which CUDA's runtime uses. It
    /// stays that library's: [#close] does not free it, and it must not be freed before. Work on the memory that is
    /// under way on streams must be over before a sort begins.
    ///
    /// Sorts check that elements lie at a multiple of their size: structs at one of the greatest power of two that
    /// divides their size, up to 16; and bytes of [DeviceStrings] at a multiple of 8.
    ///
    /// @param gpu      the GPU, such as `Device.gpu(0)`
    /// @param address  device address of the first byte
    /// @param byteSize how many bytes there are; more than have been allocated lead to a failure of the GPU
    /// @throws IllegalArgumentException if `gpu` is no GPU, the address is null, or `byteSize` is not positive
    /// @throws io.samplesort.errors.GpuUnavailableException if the GPU cannot be used
    public static DeviceMemory wrap(Device gpu, long address, long byteSize) {
        requireGpu(gpu, byteSize);
        if (address == 0) {
            throw new IllegalArgumentException(
                    "the device address is null: give the address that the other library has allocated");
        }
        Cuda.requireDriver();
        return new DeviceMemory(gpu, Context.retainPrimary(gpu.ordinal()), address, byteSize, null);
    }

    private static void requireGpu(Device device, long byteSize) {
        Objects.requireNonNull(device, "device");
        if (device.kind() != Device.Kind.GPU) {
            throw new IllegalArgumentException("device memory on " + device + ": name a GPU, such as gpu:0");
        }
        if (byteSize <= 0) {
            throw new IllegalArgumentException("device memory of " + byteSize + " bytes: the size must be positive");
        }
    }

    /// Returns a part of this memory, which need not be closed: closing it frees nothing, and once this memory is
    /// closed, the part cannot be used any more. What two parts hold may be sorted together if they do not overlap.
    ///
    /// @param offset   where the part begins, in bytes; [#wrap] says at which multiples elements may lie
    /// @param byteSize how many bytes it has
    /// @throws IllegalArgumentException  if `byteSize` is not positive
    /// @throws IndexOutOfBoundsException if the part is not within this memory
    /// @throws IllegalStateException     if closed
    public DeviceMemory slice(long offset, long byteSize) {
        requireOpen();
        requireGpu(device, byteSize);
        if (offset < 0 || offset > this.byteSize - byteSize) {
            throw new IndexOutOfBoundsException("a slice of " + byteSize + " bytes from byte " + offset
                    + " on: it must lie within the " + this.byteSize + " bytes of this device memory");
        }
        return new DeviceMemory(this, offset, byteSize);
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
        return address;
    }

    /// Returns the size of this memory in bytes.
    public long byteSize() {
        return byteSize;
    }

    /// Copies all of `source`, heap or native, to the beginning of this memory, and waits until that is done.
    ///
    /// @throws IllegalArgumentException if `source` is larger than this memory
    /// @throws IllegalStateException    if this memory is closed, or the segment belongs to a closed arena
    /// @throws WrongThreadException     if the segment is confined to another thread
    public void copyFrom(MemorySegment source) {
        requireOpen();
        Segments.checkReadable("source", source, ElementType.BYTE);
        requireFits(source.byteSize());
        copies.toDevice(Segments.forCopies(source), address);
    }

    /// Fills `target`, heap or native, from the beginning of this memory, and waits until that is done.
    ///
    /// @throws IllegalArgumentException if `target` is larger than this memory, or read-only
    /// @throws IllegalStateException    if this memory is closed, or the segment belongs to a closed arena
    /// @throws WrongThreadException     if the segment is confined to another thread
    public void copyTo(MemorySegment target) {
        requireOpen();
        Segments.check("target", target, ElementType.BYTE);
        requireFits(target.byteSize());
        copies.toHost(address, Segments.forCopies(target));
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
        for (DeviceMemory outer = whole; outer != null; outer = outer.whole) {
            if (outer.closed) {
                throw new IllegalStateException(
                        "the DeviceMemory that this is a slice of is closed: close it after the last use of its slices");
            }
        }
    }

    /// Returns whether the two have a byte in common.
    boolean overlaps(DeviceMemory other) {
        return device.equals(other.device)
                && address < other.address + other.byteSize
                && other.address < address + byteSize;
    }

    /// Frees memory that this has allocated, and makes its slices unusable. Memory of another library stays. A second
    /// call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (whole != null) {
            return;
        }
        // On a GPU that is lost, all of this fails but still gives back the host memory that it held.
        try (context;
                Context.Scope scope = context.enter();
                allocation) {
            copies.close();
        }
    }
}
