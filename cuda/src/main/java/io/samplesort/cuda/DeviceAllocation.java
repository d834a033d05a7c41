package io.samplesort.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/// A piece of device memory, aligned to 256 bytes.
public final class DeviceAllocation implements AutoCloseable {
    private final Context context;
    private final Stream stream;
    private final long address;
    private final long byteSize;
    private boolean closed;

    private DeviceAllocation(Context context, Stream stream, long address, long byteSize) {
        this.context = context;
        this.stream = stream;
        this.address = address;
        this.byteSize = byteSize;
    }

    /// Allocates memory that every stream can use.
    public static DeviceAllocation allocate(Context context, long byteSize) {
        Driver driver = context.driver();
        MemorySegment out = Driver.out();
        allocate(context, driver.memAlloc, byteSize, NativeFunction.address(out), byteSize);
        return new DeviceAllocation(context, null, out.get(JAVA_LONG, 0), byteSize);
    }

    /// Allocates memory from the GPU's pool. It can be used by all work that is put on the stream from now on. Closing
    /// gives it back after all work that is on the stream by then. On a GPU without pools the memory is allocated as by
    /// [#allocate], and closing waits for the stream.
    public static DeviceAllocation allocateAsync(Context context, Stream stream, long byteSize) {
        if (!context.device().supportsPools()) {
            DeviceAllocation allocation = allocate(context, byteSize);
            return new DeviceAllocation(context, stream, allocation.address, byteSize);
        }
        Driver driver = context.driver();
        MemorySegment out = Driver.out();
        allocate(context, driver.memAllocAsync, byteSize, NativeFunction.address(out), byteSize, stream.handle());
        return new DeviceAllocation(context, stream, out.get(JAVA_LONG, 0), byteSize);
    }

    /// Calls the driver. If there is no room, gives unused memory of the pool back to the device and tries once more.
    private static void allocate(Context context, NativeFunction allocate, long byteSize, long... arguments) {
        int result = allocate.invoke(arguments);
        if (result == Driver.OUT_OF_MEMORY) {
            context.trimPool();
            result = allocate.invoke(arguments);
        }
        if (result != 0) {
            context.driver().check(result, allocate.name() + " of " + byteSize + " bytes");
        }
    }

    /// Returns the device address of the first byte.
    public long address() {
        if (closed) {
            throw new IllegalStateException("this DeviceAllocation is closed");
        }
        return address;
    }

    public long byteSize() {
        return byteSize;
    }

    /// Frees the memory. A second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Driver driver = context.driver();
        if (stream == null) {
            driver.memFree.call(address);
        } else if (context.device().supportsPools()) {
            driver.memFreeAsync.call(address, stream.handle());
        } else {
            stream.synchronize();
            driver.memFree.call(address);
        }
    }
}
