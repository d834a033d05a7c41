package io.samplesort;

import io.samplesort.cuda.MissingDriver;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.errors.KernelCompilationException;
import io.samplesort.gpu.ComingKernels;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A GPU engine that is opened when it is first needed. For one thread at a time.
///
/// On the device `auto`, sorts do not wait for the driver and the compiler: these work in the background, and the CPU
/// sorts meanwhile. Nothing has to be closed for that, since only the thread that sorts opens the engine.
///
/// @param <E> the type of the engine
final class LazyGpu<E> {
    /// A sort on the device `auto` of more elements for each core waits for the kernels, since it would take the CPU
    /// longer than the compiler takes.
    static final long MOST_ELEMENTS_PER_CORE = 1L << 24;

    /// Begins to find or compile the kernels of an engine.
    interface Kernels {
        ComingKernels begin(int ordinal, boolean isAwaited);
    }

    private final Kernels kernels;
    private final Function<ComingKernels, E> opener;
    /// The largest number of elements that the CPU sorts instead of waiting.
    private final long mostMeanwhile;
    /// Null before the engine is opened.
    private @Nullable E engine;
    /// The kernels for the device `auto`; null before a sort asks for them, and once the engine is open.
    private @Nullable ComingKernels coming;
    /// Says why the engine cannot be opened on the device `auto`; null if that is not known.
    private @Nullable String refusal;

    LazyGpu(Kernels kernels, Function<ComingKernels, E> opener, long mostMeanwhile) {
        this.kernels = kernels;
        this.opener = opener;
        this.mostMeanwhile = mostMeanwhile;
    }

    /// Returns the engine; null if it is not open.
    @Nullable
    E orNull() {
        return engine;
    }

    /// Returns the engine, and opens it on this GPU if it is not open.
    E on(int ordinal) {
        if (engine == null) {
            engine = opener.apply(kernels.begin(ordinal, true));
            coming = null;
        }
        return engine;
    }

    /// Says why a sort on the device `auto` cannot use the GPU now; empty if the engine is open. The engine is opened
    /// unless the CPU sorts this number of elements before the kernels can be there.
    Optional<String> obstacle(long count) {
        if (engine != null) {
            return Optional.empty();
        }
        if (refusal == null && coming == null) {
            refusal = MissingDriver.message();
        }
        if (refusal != null) {
            return Optional.of(refusal);
        }
        try {
            return open(count);
        } catch (InsufficientDeviceMemoryException e) {
            return Optional.ofNullable(e.getMessage());
        } catch (GpuUnavailableException | KernelCompilationException e) {
            // A GPU that has failed does not come back while this process runs, and kernels that the compiler has
            // refused stay wrong, so neither is tried again.
            coming = null;
            refusal = e.getMessage();
            return Optional.ofNullable(refusal);
        }
    }

    private Optional<String> open(long count) {
        if (coming == null) {
            coming = kernels.begin(0, count > mostMeanwhile);
        }
        Optional<String> awaited = count <= mostMeanwhile ? coming.awaited() : Optional.empty();
        if (awaited.isEmpty()) {
            engine = opener.apply(coming);
            coming = null;
        }
        return awaited;
    }
}
