package io.samplesort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Host memory whose pages the system keeps in place, so that the copy engines of GPUs reach it directly. Sorts of it
/// need no threads that copy to and from intermediate buffers. Pinning takes about as long as several sorts, so it pays
/// for memory that is sorted often.
public final class PinnedSegment implements AutoCloseable {
    private final Context context;
    private final PinnedMemory memory;
    private boolean closed;

    private PinnedSegment(Context context, PinnedMemory memory) {
        this.context = context;
        this.memory = memory;
    }

    /// Allocates pinned memory of unspecified content, aligned to a page.
    ///
    /// @param device any GPU; all GPUs of the process reach the memory
    /// @throws IllegalArgumentException if `device` is no GPU or `byteSize` is not positive
    /// @throws io.samplesort.errors.GpuUnavailableException if the GPU cannot be used
    /// @throws io.samplesort.errors.CudaException if the system cannot pin this much memory
    public static PinnedSegment allocate(Device device, long byteSize) {
        if (byteSize <= 0) {
            throw new IllegalArgumentException("pinned memory of " + byteSize + " bytes: the size must be positive");
        }
        return pin(device, context -> PinnedMemory.allocate(context, byteSize));
    }

    /// Pins native memory, which must stay allocated until this is closed.
    ///
    /// @param segment native memory, such as that of an arena or of a mapped file
    /// @throws IllegalArgumentException if `device` is no GPU, or `segment` is empty or heap memory
    /// @throws io.samplesort.errors.GpuUnavailableException if the GPU cannot be used
    /// @throws io.samplesort.errors.CudaException if the system refuses, or the memory is pinned already
    public static PinnedSegment register(Device device, MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        if (!segment.isNative()) {
            throw new IllegalArgumentException(
                    "heap memory cannot be pinned, the garbage collector moves it: use a native segment");
        }
        if (segment.byteSize() == 0) {
            throw new IllegalArgumentException("a segment of 0 bytes cannot be pinned");
        }
        return pin(device, context -> PinnedMemory.register(context, segment));
    }

    private interface Pin {
        PinnedMemory on(Context context);
    }

    private static PinnedSegment pin(Device device, Pin pin) {
        Objects.requireNonNull(device, "device");
        if (device.kind() != Device.Kind.GPU) {
            throw new IllegalArgumentException("pinned memory for " + device + ": name a GPU, such as gpu:0");
        }
        Cuda.requireDriver();
        Context context = Context.retainPrimary(device.ordinal());
        try (Context.Scope scope = context.enter()) {
            return new PinnedSegment(context, pin.on(context));
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Returns the memory.
    ///
    /// @throws IllegalStateException when the memory is used, if this has allocated it and has been closed
    public MemorySegment segment() {
        return memory.segment();
    }

    /// Frees memory that this has allocated, or unpins memory that it has registered. A second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (context;
                Context.Scope scope = context.enter()) {
            memory.close();
        }
    }
}
