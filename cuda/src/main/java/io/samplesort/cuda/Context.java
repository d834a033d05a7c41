package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A hold on the primary context of a GPU. The CUDA runtime and other libraries of the process use this context as
/// well, so their memory and streams can be used here. The driver calls of the other classes need this context to be
/// current; [#enter] makes it so. A stream, an event, a kernel and an allocation belong to the GPU whose context was
/// current when they were made, and must be used while it is current again. So one thread can drive several GPUs in
/// turn, as calls do not wait for the GPU. A thread for each GPU pays off if the threads wait for their GPUs.
public final class Context implements AutoCloseable {
    private static final int PEER_ACCESS_ALREADY_ENABLED = 704;
    private static final int LOCATION_TYPE_DEVICE = 1;
    private static final int ACCESS_READ_WRITE = 3;
    private static final int POOL_RESERVED_BYTES = 5;
    private static final int POOL_USED_BYTES = 7;
    private static final int POOL_RELEASE_THRESHOLD = 4;

    private final Driver driver;
    private final CudaDevice device;
    private final long handle;
    private final long pool;
    private boolean closed;

    private Context(Driver driver, CudaDevice device, long handle, long pool) {
        this.driver = driver;
        this.device = device;
        this.handle = handle;
        this.pool = pool;
    }

    /// Retains the primary context of a GPU, for which the driver takes a tenth of a second if the process has none
    /// yet. Also makes the GPU's memory pool keep freed memory, so that the next sort gets its memory without asking
    /// the operating system.
    ///
    /// @throws io.samplesort.errors.GpuUnavailableException if there is no GPU of this ordinal
    public static Context retainPrimary(int ordinal) {
        CudaDevice.requireVisible(ordinal);
        Driver driver = Cuda.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            driver.devicePrimaryCtxRetain.call(address(out), ordinal);
            try {
                long handle = out.get(JAVA_LONG, 0);
                CudaDevice device = CudaDevice.get(ordinal);
                long pool = device.supportsPools() ? defaultPool(driver, device, out) : 0;
                if (pool != 0) {
                    out.set(JAVA_LONG, 0, Long.MAX_VALUE);
                    driver.memPoolSetAttribute.call(pool, POOL_RELEASE_THRESHOLD, address(out));
                }
                return new Context(driver, device, handle, pool);
            } catch (RuntimeException | Error e) {
                driver.devicePrimaryCtxRelease.invoke(ordinal);
                throw e;
            }
        }
    }

    private static long defaultPool(Driver driver, CudaDevice device, MemorySegment out) {
        driver.deviceGetDefaultMemPool.call(address(out), device.ordinal());
        return out.get(JAVA_LONG, 0);
    }

    /// Returns the GPU of this context.
    public CudaDevice device() {
        return device;
    }

    Driver driver() {
        return driver;
    }

    /// Lets kernels on this GPU use memory that is allocated on another one, by any kind of [DeviceAllocation]. This
    /// lasts until the process ends, since other libraries may rely on it as well.
    ///
    /// @return false if this GPU cannot reach the memory of the other one; copies between them work in any case
    public boolean enablePeer(Context peer) {
        if (!CudaDevice.canReach(device.ordinal(), peer.device.ordinal())) {
            return false;
        }
        try (Scope scope = enter()) {
            int result = driver.ctxEnablePeerAccess.invoke(peer.handle, 0);
            if (result != PEER_ACCESS_ALREADY_ENABLED) {
                driver.check(result, "cuCtxEnablePeerAccess");
            }
        }
        if (peer.pool != 0) {
            try (Arena arena = Arena.ofConfined()) {
                // A CUmemAccessDesc: the type and the number of the device that may use the pool, and how it may.
                MemorySegment access =
                        arena.allocateFrom(JAVA_INT, LOCATION_TYPE_DEVICE, device.ordinal(), ACCESS_READ_WRITE);
                driver.memPoolSetAccess.call(peer.pool, address(access), 1);
            }
        }
        return true;
    }

    long handle() {
        return handle;
    }

    /// Makes this context the current one of the calling thread until the scope is closed.
    public Scope enter() {
        requireOpen();
        driver.ctxPushCurrent.call(handle);
        return new Scope(driver);
    }

    /// The time in which a context is current, see [Context#enter].
    public static final class Scope implements AutoCloseable {
        private final Driver driver;
        private boolean isClosed;

        private Scope(Driver driver) {
            this.driver = driver;
        }

        @Override
        public void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            MemorySegment out = Driver.out();
            driver.ctxPopCurrent.call(address(out));
        }
    }

    /// Returns the bytes of device memory that an allocation can get: what the driver says is free, and what the pool
    /// holds unused.
    public long freeBytes() {
        MemorySegment free = Driver.out();
        MemorySegment total = free.asSlice(Long.BYTES);
        driver.memGetInfo.call(address(free), address(total));
        return free.get(JAVA_LONG, 0) + pooledBytes();
    }

    /// Returns the bytes of device memory that the pool holds unused. This is faster than [#freeBytes], which asks the
    /// device.
    public long pooledBytes() {
        return poolBytes(POOL_RESERVED_BYTES) - poolBytes(POOL_USED_BYTES);
    }

    private long poolBytes(int attribute) {
        if (pool == 0) {
            return 0;
        }
        MemorySegment out = Driver.out();
        driver.memPoolGetAttribute.call(pool, attribute, address(out));
        return out.get(JAVA_LONG, 0);
    }

    /// Gives unused memory of the pool back to the device, so that others can allocate it without the pool.
    void trimPool() {
        if (pool == 0) {
            return;
        }
        driver.memPoolTrimTo.call(pool, 0L);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this Context is closed");
        }
    }

    /// Releases the hold. A second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        driver.devicePrimaryCtxRelease.call(device.ordinal());
    }
}
