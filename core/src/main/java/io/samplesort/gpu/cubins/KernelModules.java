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
    private final Map<KernelProgram, CudaModule> modules = new EnumMap<>(KernelProgram.class);
    private final Owned owned = new Owned();

    public KernelModules(Context context, KernelCubins cubins) {
        try {
            cubins.programs()
                    .forEach((program, cubin) -> modules.put(program, owned.add(CudaModule.load(context, cubin))));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns a kernel that may be launched with this much shared memory.
    ///
    /// @param sharedBytes the most dynamic shared memory of its launches
    public Kernel kernel(KernelProgram program, String name, int sharedBytes) {
        Kernel kernel = modules.get(program).kernel(name);
        kernel.allowDynamicSharedBytes(sharedBytes);
        return kernel;
    }

    @Override
    public void close() {
        owned.close();
    }
}
