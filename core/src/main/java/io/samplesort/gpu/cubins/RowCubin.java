package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.RowProgram;
import java.time.Duration;

/// The machine code of a program whose text is the same for all sorts.
///
/// @param code        a cubin
/// @param compileTime how long the compiler took; zero if it was ready-made or came from the cache
/// @param isReadyMade whether it was ready-made
public record RowCubin(RowProgram program, byte[] code, Duration compileTime, boolean isReadyMade) {
    /// Gets the machine code for a GPU in the background, as [#forDevice] does.
    public static Background<RowCubin> start(RowProgram program, int ordinal) {
        return Background.start(
                program.title(), () -> forDevice(program, CudaDevice.get(ordinal), ReadyMade.installed()));
    }

    /// Takes the machine code from the ready-made kernels or from the cache on disk, or compiles it.
    ///
    /// @param ready the ready-made kernels
    /// @throws io.samplesort.errors.GpuUnavailableException if nothing fits and there is no compiler
    public static RowCubin forDevice(RowProgram program, CudaDevice device, ReadyMade ready) {
        byte[] made = ready.code(program, device, Cuda.driverVersion());
        return made != null ? new RowCubin(program, made, Duration.ZERO, true) : compiled(program, device);
    }

    private static RowCubin compiled(RowProgram program, CudaDevice device) {
        KernelSupply.requireCompiler();
        CompiledCubin cubin = CompiledCubin.of(
                program.source(),
                KernelSource.options(device.architecture()),
                new KernelCache(CacheFolder.resolve("kernels")));
        return new RowCubin(program, cubin.code(), cubin.compileTime(), false);
    }
}
