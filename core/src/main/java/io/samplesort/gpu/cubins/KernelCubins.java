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
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The machine code of one element type, order and tuning for one architecture. Part of it may still be compiled in the
/// background.
public final class KernelCubins {
    private final Tuning tuning;
    /// The programs that the first sort waits for.
    private final Map<KernelProgram, Background<CompiledCubin>> atOnce = new EnumMap<>(KernelProgram.class);
    /// Other programs that are there or are being compiled.
    private final Map<KernelProgram, Background<CompiledCubin>> others = new EnumMap<>(KernelProgram.class);
    /// Finds or begins to compile any other program.
    private final Function<KernelProgram, Background<CompiledCubin>> later;

    private final boolean isReadyMade;

    private KernelCubins(Tuning tuning, Function<KernelProgram, Background<CompiledCubin>> later, boolean isReadyMade) {
        this.tuning = tuning;
        this.later = later;
        this.isReadyMade = isReadyMade;
    }

    /// Takes the machine code from the ready-made kernels or from the cache on disk, or begins to compile the programs
    /// side by side. If a tuning was measured on a GPU of this model and there is a compiler, the kernels have that
    /// tuning.
    ///
    /// @param tuningOn makes the tuning in effect from the default for the GPU
    /// @param ready    the ready-made kernels
    /// @param use      what the kernels are for
    /// @throws IllegalArgumentException if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.errors.GpuUnavailableException if nothing fits and there is no compiler
    public static KernelCubins forDevice(
            CudaDevice device, KernelElement element, UnaryOperator<Tuning> tuningOn, ReadyMade ready, KernelUse use) {
        Tuning byDefault = FittingTuning.defaultFor(element, device.architecture(), device.maxSharedBytesPerBlock());
        Tuning kept = KeptTunings.of(device).tuning(element, byDefault, device);
        if (kept != null && KernelSupply.compilerUnavailableReason().isEmpty()) {
            return compiled(device, element, tuningOn.apply(kept), use);
        }
        KernelCubins made = ready.cubins(device, Cuda.driverVersion(), element, tuningOn, use.isOnSeveralGpus());
        return made != null ? made : compiled(device, element, tuningOn.apply(byDefault), use);
    }

    /// Takes the machine code from the ready-made kernels, which needs no compiler. Returns null if that cannot be
    /// done, or if a tuning was measured on a GPU of this model, whose kernels are compiled.
    public static KernelCubins withoutCompiler(
            CudaDevice device, KernelElement element, UnaryOperator<Tuning> tuningOn, ReadyMade ready, KernelUse use) {
        return KeptTunings.areThere()
                ? null
                : ready.cubins(device, Cuda.driverVersion(), element, tuningOn, use.isOnSeveralGpus());
    }

    /// Returns machine code that is all there.
    ///
    /// @param all of each program
    static KernelCubins readyMade(Tuning tuning, Map<KernelProgram, byte[]> all, boolean isOnSeveralGpus) {
        KernelCubins cubins = new KernelCubins(tuning, program -> CompiledCubin.found(all.get(program)), true);
        for (KernelProgram program : all.keySet()) {
            if (program.isNeededAtOnce(isOnSeveralGpus)) {
                cubins.atOnce.put(program, cubins.later.apply(program));
            }
        }
        return cubins;
    }

    /// Takes the machine code of the programs that the first sort waits for from the cache on disk, or begins to
    /// compile them.
    private static KernelCubins compiled(CudaDevice device, KernelElement element, Tuning tuning, KernelUse use) {
        new SharedMemory(element, tuning).check(device.maxSharedBytesPerBlock());
        KernelSupply.requireCompiler();
        List<String> options = KernelSource.options(device.architecture());
        Map<KernelProgram, Nvrtc.Program> sources = KernelSource.programs(element, tuning);
        KernelCache cache = new KernelCache(CacheFolder.resolve("kernels"));
        KernelCubins cubins =
                new KernelCubins(tuning, program -> CompiledCubin.start(sources.get(program), options, cache), false);
        for (KernelProgram program : sources.keySet()) {
            if (program.isNeededAtOnce(use.isOnSeveralGpus())) {
                cubins.atOnce.put(program, cubins.later.apply(program));
            } else if (use == KernelUse.LATER && program == KernelProgram.RUNS) {
                cubins.others.put(program, cubins.later.apply(program));
            }
        }
        return cubins;
    }

    /// Returns the kernels' parameters.
    public Tuning tuning() {
        return tuning;
    }

    /// Returns the programs that the first sort waits for.
    public Set<KernelProgram> programs() {
        return Collections.unmodifiableSet(atOnce.keySet());
    }

    /// Returns whether all machine code that was asked for is there, or cannot be made.
    public boolean isThere() {
        return atOnce.values().stream().allMatch(Background::isDone)
                && others.values().stream().allMatch(Background::isDone);
    }

    /// Waits for the programs that the first sort waits for.
    ///
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses one of them
    public void await() {
        RuntimeException failure = null;
        for (Background<CompiledCubin> making : atOnce.values()) {
            try {
                making.result();
            } catch (RuntimeException e) {
                // An error in a user's order fails all programs alike, so the first failure says it.
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /// Waits for the cubin of a program and returns it. A program that few sorts need may be compiled only now.
    ///
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses it
    public byte[] of(KernelProgram program) {
        Background<CompiledCubin> making = atOnce.getOrDefault(program, others.get(program));
        return (making == null ? later.apply(program) : making).result().code();
    }

    /// Returns how long the compiler took for the programs that the first sort waits for; zero if all of them were
    /// ready-made or came from the cache.
    public Duration compileTime() {
        return atOnce.values().stream()
                .map(making -> making.result().compileTime())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /// Returns whether the programs were ready-made.
    public boolean isReadyMade() {
        return isReadyMade;
    }
}
