package io.samplesort.gpu.launch;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Owned;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.cubins.KernelCubins;
import java.util.EnumMap;
import java.util.Map;

/// The programs of one element type, order and tuning, loaded on a GPU.
final class KernelModules implements AutoCloseable {
    private final Context context;
    private final KernelCubins cubins;
    private final int multiprocessorCount;
    private final Map<KernelProgram, CudaModule> modules = new EnumMap<>(KernelProgram.class);
    private final Owned owned = new Owned();

    /// @param multiprocessorCount how many multiprocessors of the GPU the kernels use
    KernelModules(Context context, KernelCubins cubins, int multiprocessorCount) {
        this.context = context;
        this.cubins = cubins;
        this.multiprocessorCount = multiprocessorCount;
        try {
            cubins.programs().forEach(this::load);
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private CudaModule load(KernelProgram program) {
        CudaModule module = owned.add(CudaModule.load(context, cubins.of(program)));
        modules.put(program, module);
        return module;
    }

    boolean isLoaded(KernelProgram program) {
        return modules.containsKey(program);
    }

    int multiprocessorCount() {
        return multiprocessorCount;
    }

    /// Returns the compute capability's major number.
    int major() {
        return context.device().major();
    }

    /// Returns a kernel, and loads its program if it has to.
    ///
    /// @param sharedBytes the most dynamic shared memory of its launches
    KernelLaunch kernel(KernelProgram program, String name, int threads, int sharedBytes, Kernel.Mode mode) {
        CudaModule module = modules.get(program);
        Kernel kernel = (module == null ? load(program) : module).kernel(name);
        kernel.allowDynamicSharedBytes(sharedBytes);
        return new KernelLaunch(kernel, multiprocessorCount, threads, sharedBytes, mode);
    }

    @Override
    public void close() {
        owned.close();
    }
}
