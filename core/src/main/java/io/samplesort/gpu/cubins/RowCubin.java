package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.RowProgram;
import java.time.Duration;

/// The machine code of a program whose text is the same for all sorts. It may still be compiled in the background.
public final class RowCubin {
    private final RowProgram program;
    private final Background<CompiledCubin> making;
    private final boolean isReadyMade;

    private RowCubin(RowProgram program, Background<CompiledCubin> making, boolean isReadyMade) {
        this.program = program;
        this.making = making;
        this.isReadyMade = isReadyMade;
    }

    /// Looks for the machine code for a GPU in the background, as [#forDevice] does.
    public static Background<RowCubin> start(RowProgram program, int ordinal) {
        return Background.startNative(
                program.title(), () -> forDevice(program, CudaDevice.get(ordinal), ReadyMade.installed()));
    }

    /// Takes the machine code from the ready-made kernels or from the cache on disk, or begins to compile it.
    ///
    /// @param ready the ready-made kernels
    /// @throws io.samplesort.errors.GpuUnavailableException if nothing fits and there is no compiler
    public static RowCubin forDevice(RowProgram program, CudaDevice device, ReadyMade ready) {
        byte[] made = ready.code(program, device, Cuda.driverVersion());
        return made != null ? new RowCubin(program, CompiledCubin.found(made), true) : compiled(program, device);
    }

    private static RowCubin compiled(RowProgram program, CudaDevice device) {
        KernelSupply.requireCompiler();
        Background<CompiledCubin> making = CompiledCubin.start(
                program.source(),
                KernelSource.options(device.architecture()),
                new KernelCache(CacheFolder.resolve("kernels")));
        return new RowCubin(program, making, false);
    }

    public RowProgram program() {
        return program;
    }

    /// Returns whether the machine code is there, or cannot be made, so that [#code] does not wait.
    public boolean isThere() {
        return making.isDone();
    }

    /// Waits for the machine code and returns it.
    ///
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses the program
    public byte[] code() {
        return making.result().code();
    }

    /// Waits for the machine code and returns how long the compiler took; zero if the code was ready-made or came from
    /// the cache.
    public Duration compileTime() {
        return making.result().compileTime();
    }

    /// Returns whether the machine code was ready-made.
    public boolean isReadyMade() {
        return isReadyMade;
    }
}
