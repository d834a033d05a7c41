package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.samplesort.errors.CudaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Compiled kernels that have been loaded on a GPU.
public final class CudaModule implements AutoCloseable {
    private final Driver driver;
    private final long handle;
    private boolean closed;

    private CudaModule(Driver driver, long handle) {
        this.driver = driver;
        this.handle = handle;
    }

    /// Loads kernels.
    ///
    /// @param cubin machine code for the context's GPU
    public static CudaModule load(Context context, byte[] cubin) {
        Driver driver = context.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment image = arena.allocate(cubin.length, Long.BYTES);
            MemorySegment.copy(cubin, 0, image, ValueLayout.JAVA_BYTE, 0, cubin.length);
            MemorySegment out = arena.allocate(JAVA_LONG);
            driver.moduleLoadData.call(address(out), address(image));
            return new CudaModule(driver, out.get(JAVA_LONG, 0));
        }
    }

    /// Returns whether a module could not be loaded because the driver or the GPU refuses its code: the image is
    /// invalid, is for another GPU, or is PTX that this driver cannot compile.
    public static boolean isRefused(CudaException failure) {
        return switch (failure.code()) {
            case 200, 209, 218, 221, 222 -> true;
            default -> false;
        };
    }

    /// Returns the kernel of this name, which is valid until the module is closed.
    public Kernel kernel(String name) {
        if (closed) {
            throw new IllegalStateException("this CudaModule is closed");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            MemorySegment text = arena.allocateFrom(name);
            int result = driver.moduleGetFunction.invoke(address(out), handle, address(text));
            driver.check(result, "cuModuleGetFunction of " + name);
            return new Kernel(driver, out.get(JAVA_LONG, 0), name);
        }
    }

    /// Unloads the kernels. A second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        driver.moduleUnload.call(handle);
    }
}
