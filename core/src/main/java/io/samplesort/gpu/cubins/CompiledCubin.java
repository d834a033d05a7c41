package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Nvrtc;
import java.time.Duration;
import java.util.List;

/// The machine code of a program, as NVRTC makes it.
///
/// @param code        a cubin
/// @param compileTime how long the compiler took; zero if the code came from the cache
record CompiledCubin(byte[] code, Duration compileTime) {
    /// Takes the machine code from the cache on disk, or compiles the program and keeps it there.
    ///
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses the program
    static CompiledCubin of(Nvrtc.Program source, List<String> options, KernelCache cache) {
        byte[] origin = KernelCache.origin(source, options, Nvrtc.versionText());
        byte[] cached = cache.get(origin);
        if (cached != null) {
            return new CompiledCubin(cached, Duration.ZERO);
        }
        long start = System.nanoTime();
        byte[] code = Nvrtc.compile(source, options);
        cache.put(origin, code);
        return new CompiledCubin(code, Duration.ofNanos(System.nanoTime() - start));
    }
}
