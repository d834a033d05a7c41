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

    /// Memory for any stream.
    public static DeviceAllocation allocate(Context context, long byteSize) {
        Driver driver = context.driver();
        MemorySegment out = Driver.out();
        allocate(context, "cuMemAlloc", byteSize, () -> (int) driver.memAlloc.invokeExact(out, byteSize));
        return new DeviceAllocation(context, null, out.get(JAVA_LONG, 0), byteSize);
    }

    /// Memory from the GPU's pool, there from this point of the stream on, and given back at the point of the stream
    /// where it is closed. On a GPU without pools, memory as of [#allocate], and closing waits for the stream.
    public static DeviceAllocation allocateAsync(Context context, Stream stream, long byteSize) {
        if (!context.device().supportsPools()) {
            DeviceAllocation allocation = allocate(context, byteSize);
            return new DeviceAllocation(context, stream, allocation.address, byteSize);
        }
        Driver driver = context.driver();
        long handle = stream.handle();
        MemorySegment out = Driver.out();
        allocate(context, "cuMemAllocAsync", byteSize, () ->
                (int) driver.memAllocAsync.invokeExact(out, byteSize, handle));
        return new DeviceAllocation(context, stream, out.get(JAVA_LONG, 0), byteSize);
    }

    /// Where there is no room, gives back first what the pool holds unused, and tries again.
    private static void allocate(Context context, String name, long byteSize, Driver.Call call) {
        int result = Driver.invoke(name, call);
        if (result == Driver.OUT_OF_MEMORY) {
            context.trimPool();
            result = Driver.invoke(name, call);
        }
        if (result != 0) {
            context.driver().check(result, name + " of " + byteSize + " bytes");
        }
    }

    /// The device address of the first byte.
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
            driver.call("cuMemFree", () -> (int) driver.memFree.invokeExact(address));
        } else if (context.device().supportsPools()) {
            long handle = stream.handle();
            driver.call("cuMemFreeAsync", () -> (int) driver.memFreeAsync.invokeExact(address, handle));
        } else {
            stream.synchronize();
            driver.call("cuMemFree", () -> (int) driver.memFree.invokeExact(address));
        }
    }
}
