package io.samplesort.bench.measure;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.cuda.Stream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A kernel that keeps the device waiting for a moment before a small sort is timed. Meanwhile the host puts the sort
/// on the stream, so that the device never waits for the host: this wait belongs to wall times and not to the device's.
/// The kernel touches no memory, so the caches keep what they hold.
final class HeadStart implements AutoCloseable {
    private static final long NANOS = 1_000_000;
    private static final String NAME = "head_start";
    private static final String SOURCE = """
            extern "C" __global__ void head_start(unsigned long long nanos) {
            #if defined(__CUDA_ARCH__)
                unsigned long long begin;
                unsigned long long now;
                asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
                do {
                    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
                } while (now - begin < nanos);
            #endif
            }
            """;

    private static final Map<String, byte[]> CUBINS = new ConcurrentHashMap<>();

    private final CudaModule module;
    private final Kernel kernel;

    HeadStart(Context context) {
        String architecture = context.device().architecture();
        module = CudaModule.load(
                context,
                CUBINS.computeIfAbsent(
                        architecture,
                        name -> Nvrtc.compile(
                                new Nvrtc.Program(NAME + ".cu", SOURCE, Map.of()),
                                List.of("--gpu-architecture=" + name, "--std=c++17"))));
        kernel = module.kernel(NAME);
    }

    /// Puts the wait on the stream.
    void give(Stream stream) {
        kernel.with(NANOS).launch(stream, 1, 1, 0, Kernel.Mode.AFTER);
    }

    @Override
    public void close() {
        module.close();
    }
}
