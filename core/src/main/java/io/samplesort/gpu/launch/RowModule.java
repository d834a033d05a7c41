package io.samplesort.gpu.launch;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Kernel;
import io.samplesort.errors.CudaException;
import io.samplesort.gpu.code.RowProgram.RowKernel;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.cubins.RowCubin;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// A program whose text is the same for all sorts, loaded on a GPU.
public final class RowModule implements AutoCloseable {
    private final CudaModule module;
    private final Duration compileTime;
    private final Map<String, KernelLaunch> kernels = new HashMap<>();

    private RowModule(Context context, RowCubin cubin) {
        module = CudaModule.load(context, cubin.code());
        compileTime = cubin.compileTime();
        int multiprocessors = context.device().multiprocessorCount();
        for (RowKernel row : cubin.program().kernels()) {
            Kernel kernel = module.kernel(row.name());
            kernels.put(
                    row.name(),
                    new KernelLaunch(kernel, multiprocessors, row.threads(), row.sharedBytes(), Kernel.Mode.AFTER));
        }
    }

    /// Loads a program. A driver that refuses ready-made code may still load the code of a compiler of its own version.
    ///
    /// @throws CudaException if the driver refuses code that was compiled for it
    public static RowModule load(Context context, RowCubin cubin) {
        try {
            return new RowModule(context, cubin);
        } catch (CudaException e) {
            if (!cubin.isReadyMade() || !CudaModule.isRefused(e)) {
                throw e;
            }
            return new RowModule(context, RowCubin.forDevice(cubin.program(), context.device(), ReadyMade.NONE));
        }
    }

    /// Returns how long the compiler took; zero if the code was ready-made or came from the cache.
    public Duration compileTime() {
        return compileTime;
    }

    /// Returns the kernel of this name, which is also the name of its file.
    public KernelLaunch of(String name) {
        return kernels.get(name);
    }

    @Override
    public void close() {
        module.close();
    }
}
