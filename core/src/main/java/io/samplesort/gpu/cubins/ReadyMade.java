package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.RowProgram;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.types.Tuning;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Which ready-made kernels fit a sort: those made of the same text, for an architecture whose code the GPU runs, by a
/// compiler that the driver is not too old for. If none fit, the compiler is used.
public final class ReadyMade {
    /// The system property that says whether ready-made kernels are used. By default they are used unless a compiler is
    /// named ([Nvrtc#LIBRARY_PROPERTY]): a user who names one wants it used.
    public static final String PROPERTY = "samplesort.kernels.ready";

    /// No ready-made kernels: everything is compiled.
    public static final ReadyMade NONE = new ReadyMade(null, null);

    private final ReadyKernels kernels;
    private final KernelCache cache;

    /// @param kernels null for none
    /// @param cache   keeps what was decoded
    ReadyMade(ReadyKernels kernels, KernelCache cache) {
        this.kernels = kernels;
        this.cache = cache;
    }

    /// Returns the ready-made kernels of this process.
    public static ReadyMade installed() {
        boolean isWanted = System.getProperty(PROPERTY) == null
                ? System.getProperty(Nvrtc.LIBRARY_PROPERTY) == null
                : Boolean.getBoolean(PROPERTY);
        // Ready-made code has no tables of lines.
        ReadyKernels found = isWanted && !KernelSource.hasLines() ? ReadyKernels.installed() : null;
        return found == null ? NONE : new ReadyMade(found, new KernelCache(CacheFolder.resolve("kernels")));
    }

    /// Returns whether there are any ready-made kernels.
    public boolean isThere() {
        for (ReadyTarget target : ReadyTarget.values()) {
            if (kernels != null && kernels.compilerVersion(target.architecture()) != null) {
                return true;
            }
        }
        return false;
    }

    /// Returns the version of the compiler that made the kernels that this GPU runs; null if there are none for it, or
    /// the driver is too old for them.
    public String compilerVersionFor(CudaDevice device) {
        ReadyTarget target = target(device, Cuda.driverVersion());
        return target == null ? null : kernels.compilerVersion(target.architecture());
    }

    /// Returns the target whose code this GPU runs; null if there is none, or the driver is too old for it.
    ReadyTarget target(CudaDevice device, int driverVersion) {
        ReadyTarget target = kernels == null ? null : ReadyTarget.of(device.major(), device.minor());
        String version = target == null ? null : kernels.compilerVersion(target.architecture());
        return version != null && target.isLoadedBy(driverVersion, version) ? target : null;
    }

    /// Returns the machine code of one element type, order and tuning; null if part of it is missing.
    ///
    /// @param tuningOn        makes the tuning in effect from the default for the GPU
    /// @param isOnSeveralGpus whether the GPU sorts arrays together with others
    /// @throws IllegalArgumentException if the tuning needs more shared memory than a block has
    KernelCubins cubins(
            CudaDevice device,
            int driverVersion,
            KernelElement element,
            UnaryOperator<Tuning> tuningOn,
            boolean isOnSeveralGpus) {
        ReadyTarget target = target(device, driverVersion);
        if (target == null) {
            return null;
        }
        Tuning tuning = tuningOn.apply(target.tuning(element, device.maxSharedBytesPerBlock()));
        new SharedMemory(element, tuning).check(device.maxSharedBytesPerBlock());
        Map<KernelProgram, Background<byte[]>> finding = new EnumMap<>(KernelProgram.class);
        KernelSource.programs(element, tuning)
                .forEach((program, source) ->
                        finding.put(program, Background.start("ready", () -> code(source, target))));
        Map<KernelProgram, byte[]> all = new EnumMap<>(KernelProgram.class);
        finding.forEach((program, code) -> all.put(program, code.result()));
        if (all.containsValue(null)) {
            return null;
        }
        return KernelCubins.readyMade(tuning, all, isOnSeveralGpus);
    }

    /// Returns the machine code of a program that is the same for all sorts; null if it is not there.
    byte[] code(RowProgram program, CudaDevice device, int driverVersion) {
        ReadyTarget target = target(device, driverVersion);
        return target == null ? null : code(program.source(), target);
    }

    /// Returns the code of a program; null if it is not there. Decoding takes some hundredths of a second, so decoded
    /// code is kept in the cache on disk.
    private byte[] code(Nvrtc.Program source, ReadyTarget target) {
        byte[] origin = KernelCache.origin(
                source,
                KernelSource.plainOptions(target.architecture()),
                "ready-made " + kernels.compilerVersion(target.architecture()));
        byte[] cached = cache.get(origin);
        if (cached != null) {
            return cached;
        }
        byte[] code = kernels.get(target.architecture(), key(source, target));
        if (code != null) {
            cache.put(origin, code);
        }
        return code;
    }

    /// Returns a number that identifies everything that goes into the code of a program, except the compiler's version,
    /// which is the same for all. Comments do not count: they have the users' names of types, and several types have
    /// the same code.
    static long key(Nvrtc.Program program, ReadyTarget target) {
        Map<String, String> headers = new LinkedHashMap<>(program.headers());
        headers.computeIfPresent(KernelSource.CONFIG_FILE, (name, text) -> withoutComments(text));
        Nvrtc.Program plain = new Nvrtc.Program(program.name(), program.source(), headers);
        return KernelCache.checksum(
                ByteBuffer.wrap(KernelCache.origin(plain, KernelSource.plainOptions(target.architecture()), "")));
    }

    private static String withoutComments(String text) {
        StringBuilder kept = new StringBuilder();
        for (String line : text.split("\n")) {
            if (!line.startsWith("//")) {
                kept.append(line).append('\n');
            }
        }
        return kept.toString();
    }
}
