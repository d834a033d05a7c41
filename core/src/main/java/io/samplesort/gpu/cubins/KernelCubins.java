package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.code.FittingTuning;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.types.Tuning;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The machine code of one element type, order and tuning for one architecture.
///
/// @param tuning      the kernels' parameters
/// @param programs    the cubins of the programs that the first sort waits for
/// @param later       returns or makes the cubin of another program, which few sorts need
/// @param compileTime how long the compiler took; zero if all programs were ready-made or came from the cache
/// @param isReadyMade whether the programs were ready-made
public record KernelCubins(
        Tuning tuning,
        Map<KernelProgram, byte[]> programs,
        Function<KernelProgram, byte[]> later,
        Duration compileTime,
        boolean isReadyMade) {
    /// Takes the machine code from the ready-made kernels or from the cache on disk, or compiles the programs side by
    /// side. If a tuning was measured on a GPU of this model and there is a compiler, the kernels have that tuning.
    ///
    /// @param tuningOn        makes the tuning in effect from the default for the GPU
    /// @param ready           the ready-made kernels
    /// @param isOnSeveralGpus whether the GPU sorts arrays together with others
    /// @throws IllegalArgumentException if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.errors.GpuUnavailableException if nothing fits and there is no compiler
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses one of the programs
    public static KernelCubins forDevice(
            CudaDevice device,
            KernelElement element,
            UnaryOperator<Tuning> tuningOn,
            ReadyMade ready,
            boolean isOnSeveralGpus) {
        Tuning byDefault = FittingTuning.defaultFor(element, device.architecture(), device.maxSharedBytesPerBlock());
        Tuning kept = KeptTunings.of(device).tuning(element, byDefault, device);
        if (kept != null && KernelSupply.compilerUnavailableReason().isEmpty()) {
            return compiled(device, element, tuningOn.apply(kept), isOnSeveralGpus);
        }
        KernelCubins made = ready.cubins(device, Cuda.driverVersion(), element, tuningOn, isOnSeveralGpus);
        return made != null ? made : compiled(device, element, tuningOn.apply(byDefault), isOnSeveralGpus);
    }

    /// Returns the cubin of a program. A program that few sorts need may be compiled only now.
    ///
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses it
    public byte[] of(KernelProgram program) {
        byte[] cubin = programs.get(program);
        return cubin == null ? later.apply(program) : cubin;
    }

    /// Takes the machine code of the programs that the first sort waits for from the cache on disk, or compiles it, all
    /// programs side by side.
    private static KernelCubins compiled(
            CudaDevice device, KernelElement element, Tuning tuning, boolean isOnSeveralGpus) {
        new SharedMemory(element, tuning).check(device.maxSharedBytesPerBlock());
        KernelSupply.requireCompiler();
        List<String> options = KernelSource.options(device.architecture());
        Map<KernelProgram, Nvrtc.Program> sources = KernelSource.programs(element, tuning);
        KernelCache cache = new KernelCache(CacheFolder.resolve("kernels"));
        Map<KernelProgram, Background<CompiledCubin>> making = new EnumMap<>(KernelProgram.class);
        sources.forEach((program, source) -> {
            if (program.isNeededAtOnce(isOnSeveralGpus)) {
                making.put(program, Background.start("compiler", () -> CompiledCubin.of(source, options, cache)));
            }
        });
        Map<KernelProgram, byte[]> cubins = new EnumMap<>(KernelProgram.class);
        Duration compileTime = Duration.ZERO;
        RuntimeException failure = null;
        for (Map.Entry<KernelProgram, Background<CompiledCubin>> each : making.entrySet()) {
            try {
                CompiledCubin cubin = each.getValue().result();
                cubins.put(each.getKey(), cubin.code());
                if (cubin.compileTime().compareTo(compileTime) > 0) {
                    compileTime = cubin.compileTime();
                }
            } catch (RuntimeException e) {
                // An error in a user's order fails all programs alike, so the first failure says it.
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        Function<KernelProgram, byte[]> later = program ->
                CompiledCubin.of(sources.get(program), options, cache).code();
        return new KernelCubins(tuning, cubins, later, compileTime, false);
    }
}
