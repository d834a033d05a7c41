package io.samplesort.gpu;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.RowProgram;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.KernelSupply;
import io.samplesort.gpu.cubins.KernelUse;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.cubins.RowCubin;
import io.samplesort.gpu.sort.Strategies;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.util.List;
import java.util.Optional;

/// The kernels of an engine that is yet to be opened. The driver starts in the background, and the kernels are compiled
/// there if they are neither ready-made nor in the cache. These threads do not keep the process alive, and whoever has
/// no more use for the kernels just forgets this object.
public final class ComingKernels {
    private final int ordinal;
    private final GpuSortSpec spec;
    private final GpuSortOptions options;
    private final KernelUse use;
    private final KernelElement element;
    /// Null if the compiler is needed, be it only to know what is in the cache.
    private final Background<KernelCubins> ready;
    private final Background<KernelCubins> cubins;
    /// Null unless the engine sorts strings.
    private final Background<RowCubin> rows;

    private ComingKernels(int ordinal, GpuSortSpec spec, GpuSortOptions options, KernelUse use, boolean hasStrings) {
        this.ordinal = ordinal;
        this.spec = spec;
        this.options = options;
        this.use = use;
        // The driver takes a tenth of a second to start, and another tenth to make a context.
        KernelSupply.start();
        // Where there is no driver, the caller should learn that as soon as possible and sort on the CPU.
        Cuda.requireLibrary();
        element = spec.element();
        rows = hasStrings ? RowCubin.start(RowProgram.STRINGS, ordinal) : null;
        ready = Background.startNative(
                "ready",
                () -> KernelCubins.withoutCompiler(
                        CudaDevice.get(ordinal), element, options.tuningOn(), ReadyMade.installed(), use));
        cubins = Background.startNative("kernels", () -> {
            KernelCubins found = ready.result() == null ? find(ReadyMade.installed()) : ready.result();
            Strategies.rehearse(element, found.tuning());
            return found;
        });
    }

    /// Begins to find or compile the kernels of a [GpuSorter].
    ///
    /// @param isAwaited whether the caller waits for them, and does not sort on the CPU meanwhile
    /// @throws io.samplesort.errors.GpuUnavailableException if there is no driver, or the GPU cannot sort such elements
    public static ComingKernels of(int ordinal, GpuSortSpec spec, GpuSortOptions options, boolean isAwaited) {
        return new ComingKernels(ordinal, spec, options, isAwaited ? KernelUse.NOW : KernelUse.LATER, false);
    }

    /// Begins to find or compile the kernels of one of several GPUs that sort arrays together.
    static ComingKernels ofSeveral(int ordinal, GpuSortSpec spec, GpuSortOptions options) {
        return new ComingKernels(ordinal, spec, options, KernelUse.ON_SEVERAL_GPUS, false);
    }

    /// Begins to find or compile the kernels of a [GpuStringSorter].
    ///
    /// @param isAwaited whether the caller waits for them, and does not sort on the CPU meanwhile
    /// @throws io.samplesort.errors.GpuUnavailableException if there is no driver
    public static ComingKernels ofStrings(int ordinal, GpuSortOptions options, boolean isAwaited) {
        // Words are sorted by index, which is a stable sort of numbers.
        GpuSortSpec words = new GpuSortSpec(ElementType.LONG, List.of(), new NaturalOrder(true, false), true);
        return new ComingKernels(ordinal, words, options, isAwaited ? KernelUse.NOW : KernelUse.LATER, true);
    }

    /// Finds the kernels again, or begins to compile them.
    KernelCubins find(ReadyMade ready) {
        return KernelCubins.forDevice(CudaDevice.get(ordinal), element, options.tuningOn(), ready, use);
    }

    /// Says what the opening of the engine would wait for: the driver or the compiler. Empty if it would wait for
    /// neither, or can only fail.
    ///
    /// @throws io.samplesort.errors.GpuUnavailableException if the GPU cannot be used
    /// @throws IllegalArgumentException if the tuning needs more shared memory than a block has
    public Optional<String> awaited() {
        if (!Cuda.isInitialised()) {
            return Optional.of("the NVIDIA driver is starting in the background; later sorts use the GPU");
        }
        // The first process unpacks the compiler, which takes a second.
        boolean isKnown = cubins.isDone() || ready.result() != null || Nvrtc.isInitialised();
        return isKnown
                        && cubins.result().isThere()
                        && (rows == null || rows.result().isThere())
                ? Optional.empty()
                : Optional.of("the kernels are being compiled in the background; later sorts use the GPU");
    }

    /// Returns the number of the GPU that the kernels are for.
    public int ordinal() {
        return ordinal;
    }

    GpuSortSpec spec() {
        return spec;
    }

    GpuSortOptions options() {
        return options;
    }

    KernelElement element() {
        return element;
    }

    Background<KernelCubins> cubins() {
        return cubins;
    }

    Background<RowCubin> rows() {
        return rows;
    }
}
