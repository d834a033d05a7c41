package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Kernel;
import io.samplesort.errors.CudaException;
import java.time.Duration;

/// A program whose text is the same for all sorts, loaded on a GPU.
public final class RowModule implements AutoCloseable {
    private final CudaModule module;
    private final Duration compileTime;
    private final int multiprocessorCount;

    private RowModule(Context context, RowCubin cubin) {
        module = CudaModule.load(context, cubin.code());
        compileTime = cubin.compileTime();
        multiprocessorCount = context.device().multiprocessorCount();
    }

    /// Loads a program. A driver that refuses what is ready-made may still load what a compiler of its time makes.
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

    /// Returns how long the compiler took; zero where the code was ready-made or came from the cache.
    public Duration compileTime() {
        return compileTime;
    }

    public Kernel kernel(String name) {
        return module.kernel(name);
    }

    /// Returns how many blocks work on `count` things, of which each block takes so many at a time.
    ///
    /// @param waves how many times as many blocks there are at most as fit at once
    public int blocks(Kernel kernel, int threads, int sharedBytes, int atATime, long count, int waves) {
        int resident = Math.max(1, kernel.activeBlocksPerMultiprocessor(threads, sharedBytes));
        long most = (long) resident * multiprocessorCount * waves;
        return (int) Math.clamp(Math.ceilDiv(count, atATime), 1, most);
    }

    @Override
    public void close() {
        module.close();
    }
}
