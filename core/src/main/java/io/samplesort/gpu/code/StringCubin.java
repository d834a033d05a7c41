package io.samplesort.gpu.code;

import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import java.time.Duration;

/// The machine code of the kernels that only sorts of strings have, and what the host takes for granted about them.
///
/// @param code        a cubin
/// @param compileTime how long the compiler took; zero where it was ready-made or came from the cache
/// @param isReadyMade whether it was ready-made
public record StringCubin(byte[] code, Duration compileTime, boolean isReadyMade) {
    /// Bytes of a sort key: a word of a string and its number.
    public static final int SORT_KEY_BYTES = 12;

    /// The most bytes of a string in a word of a later round (`kMostWordBytes`).
    public static final int MOST_WORD_BYTES = 6;

    /// The bits of such a word beside these bytes and the number of its group.
    public static final int WORD_EXTRA_BITS = 11;

    /// Dynamic shared memory of a block of the kernels, which [StringSource] has the compiler check.
    public static final int GUESS_SHARED_BYTES = 9 * Integer.BYTES;

    public static final int SYMBOLS_SHARED_BYTES = 256 * Short.BYTES;

    public static final int TIE_SHARED_BYTES = tieSharedBytes();

    public static final int GROUP_SHARED_BYTES = KernelConstants.GROUP_THREADS * 5 * Long.BYTES;
    public static final int SCAN_SHARED_BYTES = warpTotals(KernelConstants.TILE_SCAN_THREADS);
    public static final int MEASURE_SHARED_BYTES = warpTotals(KernelConstants.TIE_THREADS);
    public static final int COPY_SHARED_BYTES = KernelConstants.BYTE_TILE;

    private static int warpTotals(int threads) {
        return threads / KernelConstants.WARP_SIZE * Long.BYTES;
    }

    private static int tieSharedBytes() {
        int words = KernelConstants.TIE_TILE / KernelConstants.WARP_SIZE;
        int heads = (words + 2) * Integer.BYTES;
        return heads + warpTotals(KernelConstants.TIE_THREADS) + Long.BYTES + words * Long.BYTES;
    }

    /// Takes the machine code from the ready-made kernels or from the cache on disk, or compiles it.
    ///
    /// @param ready the ready-made kernels
    /// @throws io.samplesort.types.GpuUnavailableException if nothing fits and there is no compiler
    public static StringCubin forDevice(CudaDevice device, ReadyMade ready) {
        byte[] made = ready.stringCode(device, Cuda.driverVersion());
        return made != null ? new StringCubin(made, Duration.ZERO, true) : compiled(device);
    }

    private static StringCubin compiled(CudaDevice device) {
        CachedCode made = CachedCode.of(StringSource.program(), device);
        return new StringCubin(made.code(), made.compileTime(), false);
    }
}
