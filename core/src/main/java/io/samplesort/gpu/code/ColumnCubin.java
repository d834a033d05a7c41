package io.samplesort.gpu.code;

import io.samplesort.cuda.CudaDevice;
import java.time.Duration;

/// The machine code of the kernels that only sorts by key columns have, and the shared memory of their blocks, which
/// [ColumnSource] has the compiler check.
///
/// @param code        a cubin
/// @param compileTime how long the compiler took; zero where it came from the cache
public record ColumnCubin(byte[] code, Duration compileTime) {
    private static final int WARPS = KernelConstants.ROW_THREADS / KernelConstants.WARP_SIZE;

    public static final int NARROW_SHARED_BYTES = 3 * WARPS * Long.BYTES;
    public static final int MEASURE_SHARED_BYTES = WARPS * Long.BYTES;
    public static final int ENCODE_SHARED_BYTES = KernelConstants.ROW_STAGE_BYTES;

    /// Takes the machine code from the cache on disk, or compiles it.
    ///
    /// @throws io.samplesort.types.GpuUnavailableException if there is no compiler
    public static ColumnCubin forDevice(CudaDevice device) {
        CachedCode made = CachedCode.of(ColumnSource.program(), device);
        return new ColumnCubin(made.code(), made.compileTime());
    }
}
