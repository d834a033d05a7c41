package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Owned;
import io.samplesort.gpu.code.KernelProgram;
import java.util.EnumMap;
import java.util.Map;

/// The programs of one element type, order and tuning, loaded on a GPU.
public final class KernelModules implements AutoCloseable {
    private final Context context;
    private final KernelCubins cubins;
    private final Map<KernelProgram, CudaModule> modules = new EnumMap<>(KernelProgram.class);
    private final Owned owned = new Owned();

    public KernelModules(Context context, KernelCubins cubins) {
        this.context = context;
        this.cubins = cubins;
        try {
            cubins.programs().keySet().forEach(this::load);
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

    /// Returns a kernel that may be launched with this much shared memory.
    ///
    /// @param sharedBytes the most dynamic shared memory of its launches
    public Kernel kernel(KernelProgram program, String name, int sharedBytes) {
        CudaModule module = modules.get(program);
        Kernel kernel = (module == null ? load(program) : module).kernel(name);
        kernel.allowDynamicSharedBytes(sharedBytes);
        return kernel;
    }

    @Override
    public void close() {
        owned.close();
    }
}
