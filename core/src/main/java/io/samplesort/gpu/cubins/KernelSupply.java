package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.errors.GpuUnavailableException;
import java.util.Optional;

/// Where this machine can get the kernels of a GPU from: from the ready-made ones, or from the compiler.
public final class KernelSupply {
    private static final int MAJOR = 1000;

    private KernelSupply() {}

    /// Starts the driver in the background. It also loads the compiler if no kernels are ready-made, or if other
    /// tunings than theirs are kept: in these cases every sorter asks for the compiler's version.
    public static void start() {
        Cuda.start(() -> {
            if (!ReadyMade.installed().isThere() || KeptTunings.areThere()) {
                Nvrtc.unavailableReason();
            }
        });
    }

    /// Says why the first GPU cannot sort and what to install; empty if it can sort, be it only with ready-made
    /// kernels.
    public static Optional<String> unavailableReason() {
        Optional<String> reason = Cuda.driverUnavailableReason();
        if (reason.isPresent() || readyMadeVersion(CudaDevice.get(0)).isPresent()) {
            return reason;
        }
        return compilerUnavailableReason();
    }

    /// Returns the version of the compiler that made the ready-made kernels of a GPU; empty if there are none for this
    /// GPU, or its driver is too old for them.
    public static Optional<String> readyMadeVersion(CudaDevice device) {
        return Optional.ofNullable(ReadyMade.installed().compilerVersionFor(device));
    }

    /// Says why no ready-made kernels are used on a GPU. Meant only for a GPU for which [#readyMadeVersion] is empty.
    public static String notReadyReason(CudaDevice device) {
        ReadyMade ready = ReadyMade.installed();
        if (!ready.isThere()) {
            return "io.samplesort:samplesort-kernels is not installed, was built without kernels, or is not wanted";
        }
        return "they are not for " + device.architecture() + " with a driver for CUDA " + Cuda.versionText()
                + ": machine code by NVRTC 13 needs a driver for CUDA 13.0 or newer";
    }

    /// Says why no kernels can be compiled for the driver of this machine, and what to do; empty if they can.
    public static Optional<String> compilerUnavailableReason() {
        Optional<String> reason = Nvrtc.unavailableReason();
        if (reason.isPresent() || Cuda.driverVersion() / MAJOR >= Nvrtc.majorVersion()) {
            return reason;
        }
        return Optional.of("the NVIDIA driver is for CUDA " + Cuda.versionText() + ", and drivers before "
                + Nvrtc.majorVersion() + ".0 do not load what NVRTC " + Nvrtc.versionText()
                + " makes: update the driver, or name an older NVRTC with -D" + Nvrtc.LIBRARY_PROPERTY);
    }

    /// Checks that kernels can be compiled.
    ///
    /// @throws GpuUnavailableException with the reason, if they cannot
    static void requireCompiler() {
        Optional<String> reason = compilerUnavailableReason();
        if (reason.isPresent()) {
            throw new GpuUnavailableException(
                    "the GPU cannot be used: no kernels are ready-made for this sort, and none" + " can be compiled: "
                            + reason.get());
        }
    }
}
