package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Nvrtc;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The machine code of a program, as NVRTC makes it.
///
/// @param code        a cubin
/// @param compileTime how long the compiler took; zero if the code was ready-made or came from the cache
record CompiledCubin(byte[] code, Duration compileTime) {
    /// The programs that are being compiled, by what they are made of. Several sorters may want the same program at
    /// once, and one that sorts on the CPU meanwhile may be closed before its program is there. So each program is
    /// compiled once at a time, for all who want it. The lock of the map guards it.
    private static final Map<ByteBuffer, Background<CompiledCubin>> COMPILING = new HashMap<>();

    /// Returns machine code that was not compiled now.
    static Background<CompiledCubin> found(byte[] code) {
        return Background.done(new CompiledCubin(code, Duration.ZERO));
    }

    /// Takes the machine code from the cache on disk, or begins to compile the program in the background, and keeps it
    /// there. The result throws a [io.samplesort.errors.KernelCompilationException] if NVRTC refuses the program.
    static Background<CompiledCubin> start(Nvrtc.Program source, List<String> options, KernelCache cache) {
        byte[] origin = KernelCache.origin(source, options, Nvrtc.versionText());
        ByteBuffer key = ByteBuffer.wrap(origin);
        synchronized (COMPILING) {
            Background<CompiledCubin> running = COMPILING.get(key);
            if (running != null) {
                return running;
            }
            byte[] cached = cache.get(origin);
            if (cached != null) {
                return found(cached);
            }
            Background<CompiledCubin> started = Background.startNative("compiler", () -> {
                try {
                    return compiled(source, options, cache, origin);
                } finally {
                    synchronized (COMPILING) {
                        COMPILING.remove(key);
                    }
                }
            });
            COMPILING.put(key, started);
            return started;
        }
    }

    private static CompiledCubin compiled(
            Nvrtc.Program source, List<String> options, KernelCache cache, byte[] origin) {
        long start = System.nanoTime();
        byte[] code = Nvrtc.compile(source, options);
        cache.put(origin, code);
        return new CompiledCubin(code, Duration.ofNanos(System.nanoTime() - start));
    }
}
