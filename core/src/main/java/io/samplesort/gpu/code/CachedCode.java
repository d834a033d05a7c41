package io.samplesort.gpu.code;

import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import java.time.Duration;
import java.util.List;

/// Machine code of one program, from the cache on disk or from the compiler.
///
/// @param code        a cubin
/// @param compileTime how long the compiler took; zero where it came from the cache
record CachedCode(byte[] code, Duration compileTime) {
    /// @throws io.samplesort.types.GpuUnavailableException if there is no compiler
    static CachedCode of(Nvrtc.Program program, CudaDevice device) {
        KernelSupply.requireCompiler();
        List<String> options = KernelSource.options(device.architecture());
        KernelCache cache = new KernelCache(CacheFolder.resolve("kernels"));
        byte[] origin = KernelCache.origin(program, options, Nvrtc.versionText());
        byte[] cached = cache.get(origin);
        if (cached != null) {
            return new CachedCode(cached, Duration.ZERO);
        }
        long start = System.nanoTime();
        byte[] code = Nvrtc.compile(program, options);
        cache.put(origin, code);
        return new CachedCode(code, Duration.ofNanos(System.nanoTime() - start));
    }
}
