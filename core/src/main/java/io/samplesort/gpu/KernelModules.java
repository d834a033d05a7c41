package io.samplesort.gpu;

import io.samplesort.Tuning;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Nvrtc;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/// The programs of one element type, order and tuning: compiled side by side or taken from the cache on disk, and
/// loaded.
final class KernelModules implements AutoCloseable {
    /// The compiler is recursive, and a user's threads may have small stacks.
    private static final long COMPILER_STACK_BYTES = 16L << 20;

    private final Map<KernelProgram, CudaModule> modules = new EnumMap<>(KernelProgram.class);
    private final Owned owned = new Owned();
    private final Duration compileTime;

    /// @throws KernelCompilationException if NVRTC refuses one of the programs
    KernelModules(Context context, KernelElement element, Tuning tuning) {
        List<String> options = KernelSource.options(context.device().architecture());
        KernelProgram[] programs = KernelProgram.values();
        AtomicBoolean wasCompiled = new AtomicBoolean();
        long start = System.nanoTime();
        Map<KernelProgram, byte[]> cubins = new EnumMap<>(KernelProgram.class);
        try (ExecutorService compilers = Executors.newFixedThreadPool(programs.length, KernelModules::compilerThread)) {
            Map<KernelProgram, CompletableFuture<byte[]>> compiling = new EnumMap<>(KernelProgram.class);
            for (KernelProgram program : programs) {
                Nvrtc.Program source = KernelSource.of(program, element, tuning);
                compiling.put(
                        program,
                        CompletableFuture.supplyAsync(
                                () -> KernelCache.cubin(source, options, () -> wasCompiled.set(true)), compilers));
            }
            // What is wrong with an order is wrong with all programs: the first one says it.
            compiling.forEach((program, cubin) -> cubins.put(program, resultOf(cubin)));
        }
        compileTime = wasCompiled.get() ? Duration.ofNanos(System.nanoTime() - start) : Duration.ZERO;
        try {
            cubins.forEach((program, cubin) -> modules.put(program, owned.add(CudaModule.load(context, cubin))));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private static Thread compilerThread(Runnable work) {
        Thread thread = new Thread(null, work, "samplesort-compiler", COMPILER_STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }

    private static byte[] resultOf(CompletableFuture<byte[]> cubin) {
        try {
            return cubin.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw e;
            }
        }
    }

    /// How long the compiler took; zero where all programs came from the cache.
    Duration compileTime() {
        return compileTime;
    }

    /// @param parameterBytes the sizes of the kernel's parameters
    Kernel kernel(KernelProgram program, String name, int... parameterBytes) {
        return modules.get(program).kernel(name, parameterBytes);
    }

    @Override
    public void close() {
        owned.close();
    }
}
